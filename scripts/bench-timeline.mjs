// npm run bench:timeline -- FILE…: how long the questions of a timeline take on an open trace, one line of JSON a file;
// then what its frames and hovering take in Chromium, and those of a table of a million rows.
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {ensureDependencies} from './lib/dependencies.mjs';
import {node24, out, root, say} from './lib/run.mjs';

await ensureDependencies();
// esbuild and playwright-core are among the dependencies.
const {bundleProgram} = await import('./lib/bundle-program.mjs');
const {buildViewBench, late, measureView, spread} = await import('./lib/bench-view.mjs');
const files = process.argv.slice(2);
if (files.length === 0) throw new Error('Name the files: npm run bench:timeline -- out/bench/large.json');
const target = join(out, 'timeline-bench', 'timeline.mjs');
const bench = await bundleProgram(join('bench', 'timeline.ts'), target, {withThreads: true});
const server = await buildViewBench();
for (const file of files) {
  const {status, stdout, stderr} = spawnSync(node24, [bench, file], {encoding: 'utf8'});
  if (status !== 0) throw new Error(`${file}: ${stderr}`);
  say(`${file} ${stdout.trim()}`);
  const view = await measureView(server, 'timeline', file, 'measureTimeline(240)');
  say(`  first picture ${view.firstPictureMs.toFixed(0)} ms after the profile came`);
  say(`  script of a frame ${spread(view.frameMs)}, ${late(view.intervalMs)}`);
  say(`  script of taking an answer ${spread(view.answerMs)}`);
  say(`  hover, with the engine’s answer ${spread(view.hoverMs)}; its script ${spread(view.hoverScriptMs)}`);
  say(`  memory of the page ${(view.heapBytes / 1e6).toFixed(0)} MB`);
}
const sample = join(root, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
const table = await measureView(server, 'tables', sample, 'measureTables(200)');
say(`a table of ${String(table.rows)} rows: script of a frame ${spread(table.frameMs)}, ${late(table.intervalMs)}`);
say(
  `  frames with a row in sight whose figures had not come: ${String(table.blankFrames)} of ${String(table.frameMs.length)}`,
);
