import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {detailKinds} from '../../../src/core/figures/report-details.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import {reportScope} from '../../../src/core/scope/report-scope.js';
import type {Selection} from '../../../src/core/scope/selection.js';
import {makeReports, parseReportRequest, reportDefinitions} from '../../../src/core/reports/reports.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {kinetoText} from '../../support/kineto-events.js';
import {textRows} from '../../support/make-report.js';
import {temporaryFolder} from '../../support/project.js';
import {anchor, jobEvents, type JobEvent} from '../../support/selected-job.js';

const folder = temporaryFolder();
const ids = [
  ...reportDefinitions.map(({id}) => id),
  ...['cuda_gpu_kern_sum:base', 'cuda_gpu_kern_sum:mangled', 'cuda_gpu_kern_sum:nvtx-name', 'cuda_gpu_trace:base'],
];

type Rows = Record<string, string>[];

async function traceOf(events: readonly JobEvent[], path = join(folder, 'ranges.json')): Promise<Trace> {
  writeFileSync(path, kinetoText(events));
  return openTrace(path);
}

/** Every report of a part of the events, with what numbers ranges left out: they are counted anew. */
async function reportsOf(
  events: readonly JobEvent[],
  selection: Selection,
  name = 'job.json',
): Promise<ReadonlyMap<string, Rows>> {
  const path = join(folder, name);
  const trace = await traceOf(events, path);
  const details = await loadReportDetails(path, trace, new Set(detailKinds));
  const requests = ids.map(id => parseReportRequest(id)).filter(request => request !== null);
  const reports = makeReports(requests, {trace, details, scope: reportScope(trace, selection)});
  return new Map(reports.map(report => [report.name, textRows(report).map(withoutNumbers)]));
}

/** What hides a collective is the work of whoever launched it. */
const leftOut = /^(RangeId|ParentId|RangeStack|Lvl|Exposed \(ns\))$/;

function withoutNumbers(row: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(row).filter(([title]) => !leftOut.test(title)));
}

const endOf = ({ts, dur}: JobEvent) => ts + dur;
const isOnGpu = ({pid}: JobEvent) => pid !== 100;

/** The events that a selection leaves, told from times and numbers alone. */
function select(events: readonly JobEvent[], {device, stream, step, range}: Selection): JobEvent[] {
  const callOf = new Map(
    events.filter(({cat}) => cat === 'cuda_runtime').map(call => [call.args['correlation'], call]),
  );
  const steps = events.filter(({name}) => step === undefined || name === `ProfilerStep#${String(step)}`);
  const [name, index] = (range ?? '').split('/');
  const named = events.filter(event => event.name === name).sort((a, b) => a.ts - b.ts);
  const ranges = index === undefined ? named : named.slice(Number(index), Number(index) + 1);
  const isInPart = (event: JobEvent) =>
    (step === undefined || steps.some(one => event.ts >= one.ts && event.ts < endOf(one))) &&
    (range === undefined || ranges.some(one => event.ts >= one.ts && endOf(event) <= endOf(one)));
  return events.filter(event => {
    if (event === anchor) return true;
    if (!isOnGpu(event)) return isInPart(event);
    if (device !== undefined && event.args['device'] !== device) return false;
    if (stream !== undefined && event.args['stream'] !== stream) return false;
    const call = callOf.get(event.args['correlation']);
    return call !== undefined && isInPart(call);
  });
}

/** What is said of a part that is not said of a file with that part alone, and why. */
const others: Readonly<Record<string, (selection: Selection) => boolean>> = {
  // A call is without an operation where the whole profile has none of it.
  data_quality: () => true,
  // A step is as long as it is on all GPUs, and begins where the one before ended.
  step_breakdown: () => true,
  // Steps are around the range.
  gpu_timeline_steps: ({range}) => range !== undefined,
};

const selections: readonly Selection[] = [
  {device: 1},
  {stream: 20},
  {device: 0, stream: 7},
  {step: 2},
  {range: 'forward'},
  {range: 'layer_0'},
  {range: 'layer_0/3'},
  {step: 3, range: 'loss', device: 1},
];

describe('every report of a selection', () => {
  it.each(selections)('%j is that of a file with this part alone', async selection => {
    for (const seed of [1, 2, 3]) {
      const events = jobEvents(seed);
      const [ours, theirs] = [await reportsOf(events, selection), await reportsOf(select(events, selection), {})];
      for (const [id, rows] of ours) {
        if (others[id]?.(selection)) continue;
        expect(rows, `${id}, seed ${String(seed)}`).toEqual(theirs.get(id));
      }
    }
  });

  it.each(selections)('%j has the figures of ranges that a file with this part alone has', async selection => {
    for (const seed of [1, 2, 3]) {
      const events = jobEvents(seed);
      const rowsOf = async (part: readonly JobEvent[], of: Selection) =>
        new Map(rangeRows(await traceOf(part), 'name', {selection: of}).map(row => [row.name, row]));
      const ours = await rowsOf(events, selection);
      const theirs = [...(await rowsOf(select(events, selection), {}))].filter(([, {count}]) => count > 0);
      expect(theirs.length).toBeGreaterThan(0);
      // A name that has several paths in the whole profile has none.
      for (const [name, row] of theirs) expect({...ours.get(name), path: row.path}).toEqual({...row});
    }
  });

  it('is of every report that has rows at all', async () => {
    const reports = await reportsOf(jobEvents(1), {});
    // There are no start/end ranges, calls into the system, OpenMP, OpenACC, Vulkan, compiled code, modules, shapes, events
    // of memory.
    const empty = [...reports].filter(([, rows]) => rows.length === 0).map(([id]) => id);
    expect(empty).toEqual([
      'nvtx_startend_sum',
      'osrt_sum',
      'openmp_sum',
      'openacc_sum',
      ...['vulkan_api_sum', 'vulkan_api_trace'],
      'compiled_sum',
      'modules_sum',
      'roofline_sum',
      'mfu_sum',
      'precision_sum',
      'memory_held',
      ...['um_sum', 'um_total_sum', 'um_cpu_page_faults_sum'],
    ]);
  });

  it.each([1, 2, 3])('windows side by side add up to the whole, in every figure of time, seed %d', async seed => {
    const events = jobEvents(seed);
    const lastNs = 1000 * Math.max(...events.map(endOf));
    const whole = await reportsOf(events, {});
    const cuts = [0, 1 / 7, 0.4, 0.41, 1].map(part => Math.round(part * (lastNs + 1)));
    const parts = await Promise.all(
      cuts.slice(1).map((toNs, at) => reportsOf(events, {fromNs: cuts[at] ?? 0, toNs}, `window${String(at)}.json`)),
    );
    const sumOf = (reports: ReadonlyMap<string, Rows>, id: string, title: string) =>
      (reports.get(id) ?? []).reduce((sum, row) => sum + Number(row[title]), 0);
    const added = [...whole].flatMap(([id, [row]]) => {
      const title = ['Total Time (ns)', 'Busy (ns)', 'Self CPU'].find(one => row && one in row);
      return title === undefined || id.endsWith('_steps') ? [] : [[id, title] as const];
    });
    for (const [id, title] of added) {
      const sum = parts.reduce((total, reports) => total + sumOf(reports, id, title), 0);
      expect(sum, id).toBe(sumOf(whole, id, title));
    }
    expect(added.map(([id]) => id)).toEqual([
      ...['nvtx_sum', 'nvtx_pushpop_sum', 'nvtx_kern_sum', 'cuda_gpu_kern_sum', 'cuda_gpu_kern_gb_sum'],
      ...['cuda_gpu_sum', 'kernel_class_sum', 'cuda_gpu_mem_time_sum', 'cuda_api_sum', 'cuda_api_gpu_sum'],
      ...['gpu_timeline', 'rank_sum', 'collective_sum', 'key_averages'],
      ...['cuda_gpu_kern_sum:base', 'cuda_gpu_kern_sum:mangled', 'cuda_gpu_kern_sum:nvtx-name'],
    ]);
  });
});
