// npm run bench:flame: what the layout of 200,000 blocks takes, by our columns and by d3-hierarchy, one line of JSON; then
// what drawing them takes in Chromium.
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {ensureDependencies} from './lib/dependencies.mjs';
import {node24, out, root, say} from './lib/run.mjs';
import {spread} from './lib/spread.mjs';

await ensureDependencies();
// esbuild and playwright-core are among the dependencies.
const {bundleProgram} = await import('./lib/bundle-program.mjs');
const {measurePage} = await import('./lib/bench-view.mjs');
const bench = await bundleProgram(join('bench', 'flame-layout.ts'), join(out, 'bench', 'flame-layout.mjs'));
const {status, stdout, stderr} = spawnSync(node24, ['--expose-gc', bench], {encoding: 'utf8'});
if (status !== 0) throw new Error(stderr);
say(stdout.trim());

const frames = join(root, 'test', 'bench', 'view', 'flame-frames.ts');
const rounds = await measurePage(
  frames,
  Array.from({length: 5}, () => 'measure(200000, 300)'),
);
// Of five rounds the least of each frame: what other programs take of the machine is not the picture's.
const leastMs = rounds[0].frameMs.map((_, frame) => Math.min(...rounds.map(({frameMs}) => frameMs[frame])));
say(`A frame of 200,000 blocks: ${spread(leastMs)} of script (median / 95 of 100 / most)`);
