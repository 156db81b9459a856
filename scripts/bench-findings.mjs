// npm run bench:findings: precision and recall of the rules of `gpu-lens findings`, by test/findings/labels.json.
import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {ensureDependencies} from './lib/dependencies.mjs';
import {node24, out, root, say} from './lib/run.mjs';

await ensureDependencies();
// Loaded only now, because esbuild is one of the dependencies installed above.
const {bundleProgram} = await import('./lib/bundle-program.mjs');
const data = process.env['GPU_LENS_DATA'] ?? join(root, '..', 'shared', 'data');
if (!existsSync(join(data, 'kineto'))) {
  throw new Error(`The labelled profiles are not at ${data}: set GPU_LENS_DATA to the folder that has them.`);
}
const folder = join(out, 'bench');
mkdirSync(folder, {recursive: true});
const bench = await bundleProgram(join('findings', 'main.ts'), join(folder, 'findings.mjs'), {withThreads: true});
const {status, stdout, stderr} = spawnSync(node24, [bench, root, data], {encoding: 'utf8'});
if (status !== 0) throw new Error(stderr);
say(stdout.trim());
