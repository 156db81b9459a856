// Opens one file and prints the time of each of a timeline's requests as one line of JSON: see docs/performance.md.
import {serialize} from 'node:v8';
import {lanesBetween, rowsBetween, timelineRows} from '../../src/core/layout/timeline-rows.js';
import type {LaneRange} from '../../src/core/layout/visible-slices.js';
import {visibleTimeline} from '../../src/core/layout/visible-timeline.js';
import {traceInfo} from '../../src/core/questions/info.js';
import {matchingNames, searchSlices, textTest} from '../../src/core/questions/search-slices.js';
import {timelineSummary} from '../../src/core/questions/tracks.js';
import {attributionOf} from '../../src/core/scope/attribution-of.js';
import {windowSummary} from '../../src/core/questions/window-summary.js';
import {openTrace} from '../../src/importers/open-trace.js';

const [, , path = ''] = process.argv;
/** A wide editor: 1,600 px of plot with the margins, 600 px of rows with half a screen more above and below. */
const widthPx = 2720;
const heightPx = 600;
const questions = 200;

const trace = await openTrace(path);
// As when a profile is shown: attributes all GPU work.
traceInfo(trace);
attributionOf(trace);
const beginMs = performance.now();
const summary = timelineSummary(trace);
const summaryMs = performance.now() - beginMs;
const rows = timelineRows(summary);
const answersMs: number[] = [];
const answerBytes: number[] = [];
for (let question = 0; question < questions; question++) {
  // From the whole trace to a millionth of it, at times all over the trace and heights all over the rows.
  const spanNs = Math.max(20, trace.spanNs * 10 ** ((-6 * question) / questions));
  const fromNs = ((question * 0.618) % 1) * (trace.spanNs - spanNs);
  const topPx = ((question * 0.414) % 1) * Math.max(0, rows.heightPx - heightPx);
  const asked = {fromNs, toNs: fromNs + spanNs, widthPx, ...sight(topPx - heightPx / 2, topPx + heightPx * 1.5)};
  const askedMs = performance.now();
  const answer = visibleTimeline(trace, asked);
  answersMs.push(performance.now() - askedMs);
  answerBytes.push(serialize(answer).length);
}
/** Names that a user may search for: kernels, operators, calls and ranges, of few and of nearly all slices. */
const searches = ['gemm', 'aten::', 'cudaLaunchKernel', 'ProfilerStep#3', 'e', 'no such name', '/^aten::(add|mul)_?$/'];
const figures = {
  slices: trace.slices.length,
  summaryMs,
  answersMs,
  answerBytes,
  searchesMs: searches.flatMap(text => timesOf(() => search(text))),
  areaMs: Array.from({length: 40}, (_, area) => {
    // A tenth of the trace at places all over it, so that none is requested twice.
    const fromNs = ((area * 0.618) % 0.9) * trace.spanNs;
    return timeOf(() => windowSummary(trace, {fromNs, toNs: fromNs + trace.spanNs / 10}));
  }),
};
process.stdout.write(`${JSON.stringify(figures)}\n`);

function sight(fromPx: number, toPx: number): {lanes: LaneRange[]; instants: number[]; counters: number[]} {
  const lanes: LaneRange[] = [];
  for (const row of rowsBetween(rows, fromPx, toPx)) {
    if (row.kind === 'track') lanes.push({track: row.track.track, ...lanesBetween(row, fromPx, toPx)});
  }
  return {lanes, instants: [], counters: trace.counters.map((_, counter) => counter)};
}

/** Searches the first match, and its position among all. */
function search(text: string): void {
  const isRegex = text.startsWith('/');
  const fits = matchingNames(trace.strings, textTest({text: isRegex ? text.slice(1, -1) : text, isRegex}));
  searchSlices(trace, fits, {after: -1, fromNs: 0, direction: 1});
}

function timesOf(run: () => unknown): number[] {
  return Array.from({length: 5}, () => timeOf(run));
}

function timeOf(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}
