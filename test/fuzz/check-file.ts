import {TraceError} from '../../src/core/errors.js';
import {attributionNotes} from '../../src/core/attribution/attribution-notes.js';
import {visibleSlices} from '../../src/core/layout/visible-slices.js';
import {flameGraph} from '../../src/core/queries/flame.js';
import {gpuSummary, traceInfo} from '../../src/core/queries/info.js';
import {lineTimings} from '../../src/core/queries/line-timings.js';
import {attributionOf, rangeRows} from '../../src/core/queries/ranges.js';
import {operationOrigins} from '../../src/core/queries/operation-origins.js';
import {stepsOf} from '../../src/core/queries/steps.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {openTrace} from '../../src/importers/open-trace.js';

/** Longer means that somebody waits. */
const limitMs = 2000;

/**
 * What is wrong with how a file is taken, null where nothing is: it opens and its figures agree, or it is refused by one
 * sentence; in either case soon.
 */
export async function checkFile(path: string): Promise<string | null> {
  const start = performance.now();
  const fault = await faultOf(path);
  const tookMs = performance.now() - start;
  return fault ?? (tookMs > limitMs ? `took ${tookMs.toFixed(0)} ms` : null);
}

async function faultOf(path: string): Promise<string | null> {
  let trace: Trace;
  try {
    trace = await openTrace(path);
  } catch (error) {
    if (!(error instanceof TraceError)) return `threw ${String(error instanceof Error ? error.stack : error)}`;
    return /^[^\n]{5,600}[.:!?]?$/.test(error.message) ? null : `refused by "${error.message}"`;
  }
  try {
    return disagreement(trace);
  } catch (error) {
    return `queries threw ${String(error instanceof Error ? error.stack : error)}`;
  }
}

function disagreement(trace: Trace): string | null {
  const {workNs, busyNs, spanNs, idleNs} = gpuSummary(trace);
  const rows = rangeRows(trace, 'path');
  const creditedNs = rows.reduce((sum, row) => sum + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
  if (creditedNs !== workNs) return `credits ${String(creditedNs)} of ${String(workNs)} ns`;
  if (busyNs > workNs || busyNs > spanNs || idleNs < 0) return `busy ${String(busyNs)} of ${String(spanNs)} ns`;
  if (flameGraph(trace, 'gpu-work').totalNs !== workNs) return 'the flame graph is not all work';
  flameGraph(trace, 'cpu');
  traceInfo(trace);
  const halves = [{toNs: trace.spanNs / 2}, {fromNs: trace.spanNs / 2}];
  const rowsOfHalves = halves.flatMap(selection => rangeRows(trace, 'name', {selection, fold: {unfolded: []}}));
  const halvesNs = rowsOfHalves.reduce((sum, row) => sum + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
  if (halvesNs !== workNs) return `credits ${String(halvesNs)} of ${String(workNs)} ns in two halves`;
  attributionNotes(trace, attributionOf(trace));
  operationOrigins(trace);
  stepsOf(trace);
  lineTimings(trace, [[['layer_', '']], [['step']]]);
  return misplaced(trace);
}

function misplaced(trace: Trace): string | null {
  const {startNs, durationNs, length} = trace.slices;
  for (let row = 0; row < length; row++) {
    const [start = NaN, duration = NaN] = [startNs[row], durationNs[row]];
    if (!(start >= 0 && duration >= 0 && start + duration <= trace.spanNs)) return `slice ${String(row)} lies outside`;
  }
  const window = {fromNs: 0, toNs: Math.max(1, trace.spanNs), widthPx: 500, tracks: trace.tracks.map((_, at) => at)};
  const {blocks} = visibleSlices(trace, window);
  const drawn = blocks.count.reduce((sum, count) => sum + count, 0);
  return drawn <= length ? null : `draws ${String(drawn)} of ${String(length)} slices`;
}
