// npm run bench: the time and memory to open large profiles, compared with other programs.
//
// npm run bench -- [--runs 5] [--only small,nsys] [--save RECORD] [--against RECORD] [FILE…]
//
// FILE… are your own files instead of the generated ones. --save stores every time of every run; --against shows the
// differences from an earlier record, with the noise.
//
// Without files or names of inputs, it also prints the times of source tags, figures above lines and the timeline, and
// the costs of an idle recorder and of lines without tags.
//
// Inputs are made in the first run: see lib/bench-inputs.mjs.
import {spawnSync} from 'node:child_process';
import {createReadStream, existsSync, mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {Writable} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {parseArgs} from 'node:util';
import {createGunzip} from 'node:zlib';
import {benchInputs, changed, gzipped, whyNoRealInputs} from './lib/bench-inputs.mjs';
import {ensureDependencies} from './lib/dependencies.mjs';
import {must, node24, out, say} from './lib/run.mjs';

await ensureDependencies();
// Loaded only now, because esbuild is one of the dependencies installed above.
const {bundleProgram} = await import('./lib/bundle-program.mjs');
const {values, positionals} = parseArgs({
  options: {
    runs: {type: 'string', default: '5'},
    only: {type: 'string'},
    save: {type: 'string'},
    against: {type: 'string'},
  },
  allowPositionals: true,
});
if (values.against !== undefined && !existsSync(values.against)) {
  throw new Error(`There is no record ${values.against}: make one with npm run bench -- --save ${values.against}`);
}
const runs = Math.max(1, Number(values.runs));

/**
 * Measurements of other programs on the same file, on two cores, warm: trace_processor_shell's time and peak memory.
 */
const perfetto = {small: [0.86, 305], middle: [4.37, 1009], large: [11.6, 2228]};
/** Seconds of JSON.parse(readFileSync) of the middle file on the machine of these measurements, to compare machines. */
const peersParseSeconds = 3.11;

const inputs = ['small', 'middle', 'large', 'nsys'];

const bench = await bundleProgram(join('bench', 'open.ts'), join(out, 'bench', 'open.mjs'), {withThreads: true});
const reports = await bundleProgram(join('bench', 'reports.ts'), join(out, 'bench', 'reports.mjs'), {
  withThreads: true,
});
const reopen = await bundleProgram(join('bench', 'reopen.ts'), join(out, 'bench', 'reopen.mjs'));
const files = positionals.length > 0 ? positionals.map(path => [basename(path), path]) : await makeInputs();
const scale =
  files.some(([name]) => name === 'middle') && whyNoRealInputs() === null ? parseSeconds(files) / peersParseSeconds : 1;
const whyNoPeers = positionals.length > 0 ? null : whyNoRealInputs();
if (whyNoPeers !== null) {
  say(`${whyNoPeers}\nThe files are made of the sample’s recording, and nothing is compared with Perfetto.\n`);
}
if (scale !== 1) say(`This machine takes ${scale.toFixed(2)} times as long as the peers' for JSON.parse.\n`);

const titles = [
  'file',
  'MB',
  'slices',
  'first blocks',
  'first picture',
  'import',
  'attribution',
  'peak',
  'second opening',
  'reading back',
  'its peak',
  'of Perfetto’s',
  'window',
  '1 %',
  'by name',
  'ranges',
  'flame',
];
say(`| ${titles.join(' | ')} |\n| ${titles.map(() => '---').join(' | ')} |`);
/** By file and figure, its value in each run. */
const record = {};
for (const [name, path] of files) {
  const [first, again] = [measure(path), measureAgain(path)];
  record[name] = {...valuesOf(first), ...valuesOf(again, 'second opening: ')};
  say(row(name, path, first, again));
}

for (const [name, path] of files.filter(([, file]) => file.endsWith('.sqlite'))) {
  const times = Array.from({length: runs}, () => figuresOf(reports, path));
  const seconds = key => `${(middle(times, key) / 1000).toFixed(2)} s`;
  say(
    `\n${name}, opened and attributed, with nsys’s 14 summary reports: ${seconds('allMs')} ` +
      `(opening ${seconds('openMs')}, details from the file ${seconds('detailsMs')}, reports ${seconds('reportsMs')}), ` +
      `peak ${(middle(times, 'peakBytes') / 1e6).toFixed(0)} MB.`,
  );
}

for (const [name, path] of files.filter(([name]) => name === 'middle')) {
  const compressed = await gzipped(path);
  const opened = measure(compressed);
  const inflatedMs = [];
  for (let i = 0; i < runs; i++) inflatedMs.push({ms: await inflate(compressed)});
  const seconds = (times, key) => `${(middle(times, key) / 1000).toFixed(2)} s`;
  say(
    `\n${name} as gzip (${(statSync(compressed).size / 1e6).toFixed(0)} MB): first picture ${seconds(opened, 'firstPictureMs')} ` +
      `(import ${seconds(opened, 'importMs')}); inflating it alone takes ${seconds(inflatedMs, 'ms')}.`,
  );
}

for (const [name, path] of files.filter(([name]) => name === 'middle')) {
  const compared = await bundleProgram(join('bench', 'compare.ts'), join(out, 'bench', 'compare.mjs'), {
    withThreads: true,
  });
  const other = await changed(path);
  const times = Array.from({length: runs}, () => figuresOf(compared, path, other)).map(withRatios);
  record[`${name}, compared`] = valuesOf(times);
  say(`\n${comparedTable(name, times)}`);
}

if (positionals.length === 0 && values.only === undefined) {
  say('\nTags of source files, then figures above lines, then the timeline:');
  await import('./bench-source.mjs');
  await must(node24, [join('scripts', 'bench-editor.mjs')]);
  await must(node24, [join('scripts', 'bench-timeline.mjs')]);
  say('\nWhat an idle recorder costs a program:');
  await must(node24, [join('scripts', 'bench-idle.mjs')]);
  say('\nWhat lines without tags cost a step:');
  await must(node24, [join('scripts', 'bench-automatic.mjs')]);
}

if (values.save !== undefined) writeFileSync(values.save, `${JSON.stringify(record)}\n`);
if (values.against !== undefined) {
  const own = join(out, 'bench', 'record.json');
  writeFileSync(own, JSON.stringify(record));
  const against = await bundleProgram(join('bench', 'against.ts'), join(out, 'bench', 'against.mjs'));
  say(`\nAgainst ${values.against}:`);
  await must(node24, [against, values.against, own]);
}

/** Returns each figure's values, one for each run. */
function valuesOf(times, prefix = '') {
  return Object.fromEntries(Object.keys(times[0]).map(key => [prefix + key, times.map(time => time[key])]));
}

function row(name, path, times, again) {
  const seconds = key => `${(middle(times, key) / 1000).toFixed(2)} s`;
  const ms = key => `${middle(times, key).toFixed(middle(times, key) < 10 ? 1 : 0)} ms`;
  const peakMegabytes = middle(times, 'peakBytes') / 1e6;
  const peer = whyNoPeers === null ? perfetto[name] : undefined;
  const ratio = peer
    ? `${(middle(times, 'firstPictureMs') / 1000 / scale / peer[0]).toFixed(2)} time, ${(peakMegabytes / peer[1]).toFixed(2)} memory`
    : '';
  const cells = [
    name,
    (statSync(path).size / 1e6).toFixed(0),
    times[0].slices.toLocaleString('en'),
    seconds('firstBlocksMs'),
    seconds('firstPictureMs'),
    seconds('importMs'),
    seconds('attributeMs'),
    `${peakMegabytes.toFixed(0)} MB`,
    `${(middle(again, 'firstPictureMs') / 1000).toFixed(2)} s`,
    `${(middle(again, 'readMs') / 1000).toFixed(2)} s`,
    `${(middle(again, 'peakBytes') / 1e6).toFixed(0)} MB`,
    ratio,
    ms('wholeWindowMs'),
    ms('hundredthMs'),
    ms('sumByNameMs'),
    ms('rangesMs'),
    ms('flameMs'),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** What a comparison costs in all, of what opening both files costs: one process does both. */
function withRatios(times) {
  const {openMs, compareMs, openCpuMs, compareCpuMs} = times;
  return {...times, ratio: (openMs + compareMs) / openMs, cpuRatio: (openCpuMs + compareCpuMs) / openCpuMs};
}

function comparedTable(name, times) {
  const seconds = key => `${(middle(times, key) / 1000).toFixed(2)} s`;
  const ratio = key => {
    const sorted = times.map(time => time[key].toFixed(2)).sort();
    return `${middle(times, key).toFixed(2)} (${sorted[0]} to ${sorted[runs - 1]})`;
  };
  const cells = [
    name,
    ...[seconds('openMs'), seconds('compareMs'), ratio('ratio')],
    ...[seconds('openCpuMs'), seconds('compareCpuMs'), ratio('cpuRatio')],
    `${(middle(times, 'peakBytes') / 1e6).toFixed(0)} MB`,
  ];
  const titles = [
    'file',
    'open both',
    'compare',
    'compare / open both',
    'processor: open both',
    'compare',
    'ratio',
    'peak',
  ];
  return [titles, titles.map(() => '---'), cells].map(row => `| ${row.join(' | ')} |`).join('\n');
}

function measure(path) {
  return Array.from({length: runs}, () => figuresOf(bench, path));
}

/** Returns how long Node takes to inflate a file and discard the result, in ms. */
async function inflate(path) {
  const start = performance.now();
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  await pipeline(createReadStream(path, {highWaterMark: 1 << 20}), createGunzip({chunkSize: 1 << 20}), nowhere);
  return performance.now() - start;
}

/** Measures second openings: the first one writes the cache, and is not counted. */
function measureAgain(path) {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-lens-bench-'));
  try {
    figuresOf(reopen, path, folder);
    return Array.from({length: runs}, () => figuresOf(reopen, path, folder));
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

function figuresOf(program, ...args) {
  const {status, stdout, stderr} = spawnSync(node24, [program, ...args], {encoding: 'utf8'});
  if (status !== 0) throw new Error(`${args[0]}: ${stderr}`);
  return JSON.parse(stdout);
}

function middle(times, key) {
  const sorted = times.map(time => time[key]).sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

async function makeInputs() {
  const names = values.only?.split(',') ?? inputs;
  const paths = await benchInputs(names);
  return names.map((name, i) => [name, paths[i]]);
}

/** Measures each time in a separate process, as for the other programs: the garbage of one would slow the next down. */
function parseSeconds(all) {
  const [, path] = all.find(([name]) => name === 'middle');
  const program = `
    const {readFileSync} = require('node:fs');
    const start = performance.now();
    JSON.parse(readFileSync(process.argv[1]));
    console.log(performance.now() - start);`;
  const times = Array.from({length: runs}, () => {
    const {stdout} = spawnSync(node24, ['-e', program, path], {encoding: 'utf8'});
    return Number(stdout) / 1000;
  });
  return times.sort((a, b) => a - b)[runs >> 1];
}
