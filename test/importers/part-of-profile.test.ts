import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {partRows} from '../../src/core/export/part-rows.js';
import {detailKinds} from '../../src/core/figures/report-details.js';
import {makeReports, parseReportRequest, reportDefinitions} from '../../src/core/reports/reports.js';
import {columnHeader, type Cell} from '../../src/core/reports/report.js';
import {reportScope} from '../../src/core/scope/report-scope.js';
import type {Selection} from '../../src/core/scope/selection.js';
import {stepsOf} from '../../src/core/scope/steps.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {copiedPart} from '../../src/importers/copied-part.js';
import {exportedPart} from '../../src/importers/exported-part.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {loadReportDetails} from '../../src/importers/report-details.js';
import {expectSame} from '../support/expect-same.js';
import {itEachFile} from '../support/each-file.js';
import {ownProfiles} from '../support/own-profiles.js';
import {temporaryFolder} from '../support/project.js';
import {dataFiles} from '../support/real-data.js';

const folder = temporaryFolder();
const own = ownProfiles(folder);
const files = [...own.kineto, ...dataFiles('kineto', '.json.gz')];

/**
 * What depends on more than the part: how much of a file was assumed; the wall time of a step that began while the GPU was
 * busy with the one before; memory that was held before; what the GPU ran beside a collective.
 */
const ofMore = [
  ...['data_quality', 'step_breakdown', 'mfu_sum', 'gpu_timeline_steps', 'memory_sum', 'memory_held'],
  ...['collective_sum', 'collective_trace'],
];
/** Layers fold by all that the file has; a window without operators has no such tables. */
const ofMoreInWindow = [...ofMore, 'modules_sum', 'key_averages', 'launch_sum'];

itEachFile(files)('$name has in a part that is written the figures of that part', async ({path}) => {
  const trace = await openTrace(path);
  for (const selection of selectionsOf(trace)) {
    const texts = await copiedPart(path, trace, partRows(trace, selection), {});
    if (texts === null) continue;
    const part = join(folder, 'part.pt.trace.json');
    writeFileSync(part, texts.join(''));
    const reopened = await openTrace(part);
    const moved = movedBy(selection, Number(reopened.originNs - trace.originNs));
    const leftOut = selection.step === undefined ? ofMoreInWindow : ofMore;
    expectSame(await figuresOf(part, reopened, moved, leftOut), await figuresOf(path, trace, selection, leftOut));
  }
});

/** Perfetto's form has no arguments: no grids, priorities, shapes, threads' own numbers, ranks or bytes that were held. */
const ofArguments = [
  ...['cuda_gpu_kern_gb_sum', 'cuda_gpu_trace', 'cuda_api_trace', 'cuda_kern_exec_trace', 'rank_sum'],
  ...['roofline_sum', 'precision_sum'],
];
/** What overlaps without nesting, as steps and Python frames of Kineto's traces can, is on a thread beside its own. */
const ofOverlaps = [
  ...['nvtx_gpu_proj_sum', 'nvtx_gpu_proj_trace', 'nvtx_kern_sum', 'key_averages', 'modules_sum', 'launch_sum'],
];

itEachFile([...files, ...own.nsys, ...dataFiles('nsys', '.sqlite')])(
  '$name has in a part for Perfetto the figures of that part',
  async ({path}) => {
    const trace = await openTrace(path);
    for (const selection of selectionsOf(trace)) {
      if (!partRows(trace, selection).slices.includes(1)) continue;
      const {parts} = await exportedPart(path, trace, {selection, to: 'perfetto', names: 'keep'}, {});
      const part = join(folder, 'part.json');
      writeFileSync(part, [...parts].join(''));
      const reopened = await openTrace(part);
      // The file's times count from the first event of the profile.
      const moved = movedBy(selection, Number(reopened.originNs));
      const leftOut = [...ofMore, ...ofArguments, ...(trace.meta.format === 'kineto' ? ofOverlaps : [])];
      expectSame(await figuresOf(part, reopened, moved, leftOut), await figuresOf(path, trace, selection, leftOut));
    }
  },
);

function movedBy(selection: Selection, shiftNs: number): Selection {
  return {
    ...selection,
    ...(selection.fromNs !== undefined && {fromNs: selection.fromNs - shiftNs}),
    ...(selection.toNs !== undefined && {toNs: selection.toNs - shiftNs}),
  };
}

/** A step in the middle, and a window of a tenth. */
function selectionsOf(trace: Trace): Selection[] {
  const steps = stepsOf(trace);
  const step = steps[Math.floor(steps.length / 2)];
  const window = {fromNs: Math.round(trace.spanNs * 0.45), toNs: Math.round(trace.spanNs * 0.55)};
  return [...(step ? [{step: step.number}] : []), window];
}

/** Reports of a selection, as cells; times of events and numbers of ranges are left out, since a part counts from its own beginning. */
async function figuresOf(
  path: string,
  trace: Trace,
  selection: Selection,
  leftOut: readonly string[],
): Promise<Record<string, unknown>> {
  const details = await loadReportDetails(path, trace, new Set(detailKinds));
  const names = reportDefinitions.map(({id}) => id).filter(id => !leftOut.includes(id));
  const requests = names.map(name => parseReportRequest(name)).filter(request => request !== null);
  const reports = makeReports(requests, {trace, details, scope: reportScope(trace, selection)});
  return Object.fromEntries<unknown>(
    reports.map(({columns, rows}, at) => {
      const kept = columns.flatMap((column, index) =>
        /start|end\b|TS|Id$|^RangeStack/i.test(columnHeader(column)) ? [] : [index],
      );
      const cells = Array.from({length: rows.length}, (_, row) => kept.map(index => rows.cells(row)[index] as Cell));
      return [names[at] ?? '', cells];
    }),
  );
}
