// npm run bench:editor [-- TRACE]: the time of figures above lines in the extension host, as one line of JSON.
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {ensureDependencies} from './lib/dependencies.mjs';
import {must, node24, out, root, say} from './lib/run.mjs';

await ensureDependencies();
// Loaded only now, because esbuild is one of the dependencies installed above.
const {bundleProgram} = await import('./lib/bundle-program.mjs');
await must(node24, ['esbuild.mjs', '--production'], {quiet: true});
const standIn = join(root, 'test', 'support', 'vscode-stand-in.ts');
const bench = await bundleProgram(join('bench', 'editor.ts'), join(out, 'bench', 'editor.mjs'), {vscode: standIn});
const args = [bench, join(root, 'dist', 'engine.cjs'), ...process.argv.slice(2)];
const {status, stdout, stderr} = spawnSync(node24, args, {encoding: 'utf8'});
if (status !== 0) throw new Error(stderr);
say(stdout.trim());
