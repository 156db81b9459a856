// npm run bench:whatif: errors of replays over the public profiles, and blind pairs (test/what-if).
import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {ensureDependencies} from './lib/dependencies.mjs';
import {node24, out, root} from './lib/run.mjs';

await ensureDependencies();
// Loaded only now, because esbuild is one of the dependencies installed above.
const {bundleProgram} = await import('./lib/bundle-program.mjs');
const data = process.env['GPU_LENS_DATA'] ?? join(root, '..', 'shared', 'data');
const venv = join(out, 'venv', 'bin', 'python');
const python = process.env['GPU_LENS_PYTHON'] ?? (existsSync(venv) ? venv : '');
const folder = join(out, 'bench', 'whatif');
mkdirSync(folder, {recursive: true});
const bench = await bundleProgram(join('what-if', 'main.ts'), join(folder, 'whatif.mjs'), {withThreads: true});
const {status} = spawnSync(node24, [bench, root, data, python, folder], {stdio: 'inherit'});
if (status !== 0) throw new Error('The benchmark failed.');
