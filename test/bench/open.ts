// Opens one file and prints the time and memory as one line of JSON; run in a separate process by scripts/bench.mjs.
import {attributionOf} from '../../src/core/scope/attribution-of.js';
import {rangeRows} from '../../src/core/figures/range-rows.js';
import {flameGraph} from '../../src/core/questions/flame.js';
import {visibleSlices} from '../../src/core/layout/visible-slices.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {openingTold} from '../../src/engine/opening-told.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {peakResidentBytes} from './peak-memory.js';
import {allLanes} from '../support/all-lanes.js';

const [, , path = ''] = process.argv;
const widthPx = 2000;

const begin = performance.now();
let firstBlocksMs = NaN;
const told = openingTold(({picture}) => {
  if (picture && Number.isNaN(firstBlocksMs)) firstBlocksMs = performance.now() - begin;
});
// Reporting progress to the engine costs time as well.
const trace = await openTrace(path, process.env['BENCH_PLAIN'] ? {} : told);
const imported = performance.now();
attributionOf(trace);
const attributed = performance.now();
const lanes = allLanes(trace.tracks.keys());
visibleSlices(trace, {fromNs: 0, toNs: trace.spanNs, widthPx, lanes});
const drawn = performance.now();
const peakBytes = peakResidentBytes();

const figures = {
  slices: trace.slices.length,
  firstBlocksMs,
  importMs: imported - begin,
  attributeMs: attributed - imported,
  firstPictureMs: drawn - begin,
  peakBytes,
  wholeWindowMs: median(() => visibleSlices(trace, {fromNs: 0, toNs: trace.spanNs, widthPx, lanes})),
  hundredthMs: median(() => {
    const fromNs = 0.4 * trace.spanNs;
    visibleSlices(trace, {fromNs, toNs: fromNs + trace.spanNs / 100, widthPx, lanes});
  }),
  sumByNameMs: median(() => sumByName(trace)),
  rangesMs: median(() => rangeRows(trace, 'name')),
  flameMs: median(() => flameGraph(trace, {weight: 'gpu-work'})),
};
process.stdout.write(`${JSON.stringify(figures)}\n`);

/** Returns the time by name over all slices: the simplest query that reads every row. */
function sumByName({slices, strings}: Trace): Float64Array {
  const sums = new Float64Array(strings.length);
  const {name, durationNs, length} = slices;
  for (let i = 0; i < length; i++) {
    const index = name[i] ?? 0;
    sums[index] = (sums[index] ?? 0) + (durationNs[i] ?? 0);
  }
  return sums;
}

function median(run: () => unknown): number {
  const times = Array.from({length: 7}, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[3] ?? NaN;
}
