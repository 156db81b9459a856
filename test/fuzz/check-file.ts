import {TraceError} from '../../src/core/base/errors.js';
import {attributionNotes} from '../../src/core/attribution/attribution-notes.js';
import {visibleTimeline} from '../../src/core/layout/visible-timeline.js';
import {flameGraph} from '../../src/core/questions/flame.js';
import {gpuSummary, traceInfo} from '../../src/core/questions/info.js';
import {lineTimings} from '../../src/core/lines/line-timings.js';
import {attributionOf} from '../../src/core/scope/attribution-of.js';
import {rangeRows} from '../../src/core/figures/range-rows.js';
import {operationOrigins} from '../../src/core/figures/operation-origins.js';
import {stepsOf} from '../../src/core/scope/steps.js';
import {textReports} from '../../src/core/reports/text-reports.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {readSliceArguments} from '../../src/importers/slice-arguments.js';
import {opened} from '../support/opened-file.js';
import {usualWorkMs} from '../support/usual-work.js';
import {disagreementOfWays} from './two-ways.js';
import {allLanes} from '../support/all-lanes.js';
import {answersFault} from './check-answers.js';

/** The most that a file may take, as a multiple of usual work: a user would wait for seconds. */
const limitTimes = 20;
/** Less than this is never too long. */
const soonMs = 1000;
/** What usual work took at first. */
let usualMs = usualWorkMs();

/**
 * Returns what is wrong with how a file is handled, or null. It must open with consistent figures, or be refused with
 * one sentence, and soon in either case.
 *
 * @param asksAll whether to check every report, a comparison with itself, and findings
 */
export async function checkFile(path: string, asksAll: boolean): Promise<string | null> {
  // The CPU time of all threads: a clock would include the time of other programs.
  const before = process.cpuUsage();
  const fault = await faultOf(path, asksAll);
  const {user, system} = process.cpuUsage(before);
  const tookMs = (user + system) / 1000;
  if (tookMs > soonMs) {
    // The pace of a machine changes.
    usualMs = Math.max(usualMs, usualWorkMs());
    const times = tookMs / usualMs;
    if (times > limitTimes) return `took ${tookMs.toFixed(0)} ms, ${times.toFixed(0)} times as long as usual work`;
  }
  return fault ?? (await disagreementOfWays(path));
}

async function faultOf(path: string, asksAll: boolean): Promise<string | null> {
  let trace: Trace;
  try {
    trace = await openTrace(path);
  } catch (error) {
    if (!(error instanceof TraceError)) return `threw ${String(error instanceof Error ? error.stack : error)}`;
    return /^[^\n]{5,600}[.:!?]?$/.test(error.message) ? null : `refused by "${error.message}"`;
  }
  try {
    const fault = disagreement(trace) ?? (await argumentsFault(path, trace));
    return fault ?? (asksAll ? await answersFault(path, trace) : null);
  } catch (error) {
    return `queries threw ${String(error instanceof Error ? error.stack : error)}`;
  }
}

/** Reads the file's data on a few slices again; a damaged database may not find a row that it listed. */
async function argumentsFault(path: string, trace: Trace): Promise<string | null> {
  const {length} = trace.slices;
  for (const slice of new Set([0, length >> 1, length - 1])) {
    const args = await readSliceArguments(await opened(path), trace, slice).catch((error: unknown) => {
      if (error instanceof TraceError && trace.meta.format === 'nsys') return [];
      throw error;
    });
    if (args.some(({value}) => value.length > 2000)) return `tells too much of slice ${String(slice)}`;
  }
  return null;
}

function disagreement(trace: Trace): string | null {
  const {workNs, busyNs, spanNs, idleNs} = gpuSummary(trace);
  const rows = rangeRows(trace, 'path');
  const creditedNs = rows.reduce((sum, row) => sum + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
  if (creditedNs !== workNs) return `credits ${String(creditedNs)} of ${String(workNs)} ns`;
  if (!hasItsDevices(trace)) return 'devices are not those of the work';
  if (busyNs > workNs || busyNs > spanNs || idleNs < 0) return `busy ${String(busyNs)} of ${String(spanNs)} ns`;
  if (flameGraph(trace, {weight: 'gpu-work'}).total !== workNs) return 'the flame graph is not all work';
  flameGraph(trace, {weight: 'cpu'});
  traceInfo(trace);
  const halves = [{toNs: trace.spanNs / 2}, {fromNs: trace.spanNs / 2}];
  const rowsOfHalves = halves.flatMap(selection => rangeRows(trace, 'name', {selection, fold: {unfolded: []}}));
  const halvesNs = rowsOfHalves.reduce((sum, row) => sum + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
  if (halvesNs !== workNs) return `credits ${String(halvesNs)} of ${String(workNs)} ns in two halves`;
  attributionNotes(trace, attributionOf(trace));
  operationOrigins(trace);
  stepsOf(trace);
  lineTimings(trace, [[['layer_', '']], [['step']]]);
  for (const {rows} of textReports(trace.textTables)) for (let row = 0; row < rows.length; row++) rows.cells(row);
  return misplaced(trace);
}

/** Checks that every device has a possible number, and that every operation ran on one of them. */
function hasItsDevices({devices, gpuOperations}: Trace): boolean {
  const ids = new Set(devices.map(({id}) => id));
  const arePossible = [...ids].every(id => Number.isInteger(id) && id >= 0 && id < 2 ** 31);
  return arePossible && ids.size === devices.length && gpuOperations.device.every(id => ids.has(id));
}

function misplaced(trace: Trace): string | null {
  for (const atNs of [...trace.instants.atNs, ...trace.counterSamples.atNs]) {
    if (!(atNs >= 0 && atNs <= trace.spanNs)) return `an instant or a sample lies outside, at ${String(atNs)}`;
  }
  const {startNs, durationNs, length} = trace.slices;
  for (let row = 0; row < length; row++) {
    const [start = NaN, duration = NaN] = [startNs[row], durationNs[row]];
    if (!(start >= 0 && duration >= 0 && start + duration <= trace.spanNs)) return `slice ${String(row)} lies outside`;
  }
  const window = {
    fromNs: 0,
    toNs: Math.max(1, trace.spanNs),
    widthPx: 500,
    lanes: allLanes(trace.tracks.keys()),
    instants: [-1, ...trace.tracks.keys()],
    counters: [...trace.counters.keys()],
  };
  const {blocks} = visibleTimeline(trace, window).slices;
  const drawn = blocks.count.reduce((sum, count) => sum + count, 0);
  return drawn <= length ? null : `draws ${String(drawn)} of ${String(length)} slices`;
}
