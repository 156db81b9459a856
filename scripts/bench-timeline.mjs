// npm run bench:timeline -- [FILE…]: the times of the timeline on traces of 50 thousand, 500 thousand and 5 million
// slices, or on your own files, as a table for docs/performance.md. Then the times of a table of a million rows.
//
// The inputs are made in the first run: see lib/bench-inputs.mjs. A run takes about five minutes; no other programs
// should be busy.
import {spawnSync} from 'node:child_process';
import {loadavg} from 'node:os';
import {basename, join} from 'node:path';
import {benchInputs} from './lib/bench-inputs.mjs';
import {ensureDependencies} from './lib/dependencies.mjs';
import {node24, out, root, say} from './lib/run.mjs';
import {late, short, spread} from './lib/spread.mjs';

await ensureDependencies();
// Loaded only now, because esbuild and playwright-core are some of the dependencies installed above.
const {bundleProgram} = await import('./lib/bundle-program.mjs');
const {buildViewBench, measureView} = await import('./lib/bench-view.mjs');
const named = process.argv.slice(2);
const files = named.length > 0 ? named : await benchInputs(['50-thousand', '500-thousand', '5-million']);
/** Each has its own engine and page, for which everything is new. */
const firstPictures = 5;

const target = join(out, 'timeline-bench', 'timeline.mjs');
const questions = await bundleProgram(join('bench', 'timeline.ts'), target, {withThreads: true});
const server = await buildViewBench();
const beganMs = performance.now();
const load = loadavg()[0];
const columns = [];
for (const file of files) {
  say(`${basename(file)} …`);
  columns.push({title: basename(file), ...asked(file), ...(await shown(file))});
}
say(`\nMedian / 95 of 100 / most; a load of ${load.toFixed(1)} before it, ${loadavg()[0].toFixed(1)} at the end.\n`);
say(`| | ${columns.map(({title}) => title).join(' | ')} |`);
say(`| --- |${' --- |'.repeat(columns.length)}`);
const rows = [
  ['slices', ({slices}) => slices.toLocaleString('en')],
  ['the engine’s answer about what is in sight', ({answersMs}) => spread(answersMs)],
  [
    'its size',
    ({answerBytes}) =>
      spread(
        answerBytes.map(bytes => bytes / 1000),
        'KB',
      ),
  ],
  ['search in all names, first hit and its place', ({searchesMs}) => spread(searchesMs)],
  ['what is inside a tenth of the trace', ({areaMs}) => spread(areaMs)],
  ['first picture, of a view that waited for the profile', ({first}) => spread(first.map(({waitedMs}) => waitedMs))],
  ['first picture, with the view’s page just loaded', ({first}) => spread(first.map(({coldMs}) => coldMs))],
  ['script of a frame', ({frames}) => spread(frames.scriptMs)],
  ['the same, the least of five rounds', ({frames}) => spread(frames.leastMs)],
  ['frames later than 34 ms', ({frames}) => late(frames.intervalMs)],
  ['script of taking an answer', ({answerMs}) => spread(answerMs)],
  ['hover, to the box with figures', ({hoverMs}) => spread(hoverMs)],
  ['its script', ({hoverScriptMs}) => spread(hoverScriptMs)],
  ['memory of the page', ({heapBytes}) => `${short(heapBytes / 1e6)} MB`],
];
for (const [title, cell] of rows) say(`| ${title} | ${columns.map(cell).join(' | ')} |`);

const sample = join(root, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
const table = await measureView(server, 'tables', sample, 'measureTables(200)');
const {scriptMs, leastMs, intervalMs} = table.frames;
say(
  `\nA table of ${table.rows.toLocaleString('en')} rows: script of a frame ${spread(scriptMs)}, the least of three rounds ` +
    `${spread(leastMs)}; ${late(intervalMs)} frames later than 34 ms, ${String(table.blankFrames)} with a row in sight whose figures had not come.`,
);
say(`It took ${((performance.now() - beganMs) / 60_000).toFixed(1)} minutes.`);

/** Returns the times of the timeline's requests on the open trace. */
function asked(file) {
  const {status, stdout, stderr} = spawnSync(node24, [questions, file], {encoding: 'utf8', maxBuffer: 1 << 26});
  if (status !== 0) throw new Error(`${file}: ${stderr}`);
  return JSON.parse(stdout);
}

/** Returns the times of the view in Chromium. */
async function shown(file) {
  const first = [];
  for (let i = 0; i < firstPictures; i++) {
    first.push(await measureView(server, 'timeline', file, 'measureFirstPicture()'));
  }
  return {...(await measureView(server, 'timeline', file, 'measureTimeline(240)')), first};
}
