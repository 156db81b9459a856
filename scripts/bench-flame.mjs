// npm run bench:flame: what the layout of 200,000 blocks takes, by our columns and by d3-hierarchy; one line of JSON.
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {ensureDependencies} from './lib/dependencies.mjs';
import {node24, out, say} from './lib/run.mjs';

await ensureDependencies();
// esbuild is one of the dependencies.
const {bundleProgram} = await import('./lib/bundle-program.mjs');
const bench = await bundleProgram(join('bench', 'flame-layout.ts'), join(out, 'bench', 'flame-layout.mjs'));
const {status, stdout, stderr} = spawnSync(node24, ['--expose-gc', bench], {encoding: 'utf8'});
if (status !== 0) throw new Error(stderr);
say(stdout.trim());
