// npm run fuzz -- [--files 100000] [--cuts 1000] [--seed N]: opens this many damaged files, and a large trace truncated
// at this many places; findings stay in out/fuzz.
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {ensureDependencies} from './lib/dependencies.mjs';
import {node24, out, root, run} from './lib/run.mjs';

await ensureDependencies();
// Loaded only now, because esbuild is one of the dependencies installed above.
const {bundleProgram} = await import('./lib/bundle-program.mjs');
const {values} = parseArgs({
  options: {
    files: {type: 'string', default: '100000'},
    cuts: {type: 'string', default: '1000'},
    seed: {type: 'string'},
  },
});
const folder = join(out, 'fuzz');
mkdirSync(folder, {recursive: true});
const program = await bundleProgram(join('fuzz', 'main.ts'), join(folder, 'fuzz.mjs'));
const perProcess = 10_000;
let seed = Number(values.seed ?? Date.now() % 1e6);
let failed = false;
let {cuts} = values;
for (let left = Number(values.files); left > 0; left -= perProcess) {
  const count = String(Math.min(left, perProcess));
  const {status} = await run(node24, [program, root, folder, String(seed++), count, cuts]);
  cuts = '0';
  failed ||= status !== 0;
}
process.exitCode = failed ? 1 : 0;
