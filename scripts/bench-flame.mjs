// npm run bench:flame: the time to lay out 200,000 blocks, with our columns and with d3-hierarchy, as one line of JSON;
// then the time to draw them in Chromium.
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {ensureDependencies} from './lib/dependencies.mjs';
import {node24, out, root, say} from './lib/run.mjs';
import {spread} from './lib/spread.mjs';

await ensureDependencies();
// Loaded only now, because esbuild and playwright-core are some of the dependencies installed above.
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
// The minimum of each frame over five rounds, to exclude the effect of other programs.
const leastMs = rounds[0].frameMs.map((_, frame) => Math.min(...rounds.map(({frameMs}) => frameMs[frame])));
say(`A frame of 200,000 blocks: ${spread(leastMs)} of script (median / 95 of 100 / most)`);
