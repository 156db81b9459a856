import {insideNs} from '../attribution/chosen.js';
import {reportApiName} from '../format/api-name.js';
import {kindIndex, type SliceKind} from '../trace/slices.js';
import {categorised, categoryColumns, kernelNameDetails, operationDurations} from './gpu-summaries.js';
import {kernelNameOptions} from './kernel-names.js';
import type {ReportDefinition, ReportInput, ReportRows} from './report.js';
import {durationColumns, summaryRows, textColumn} from './summary.js';

const callTitles = {of: 'calls', count: 'Num Calls'} as const;

/** `cuda_api_sum`: runtime and driver calls by name. @see docs/metrics.md#cuda-api-sum */
export const apiSummary: ReportDefinition = {
  id: 'cuda_api_sum',
  oldId: 'cudaapisum',
  title: 'CUDA API Summary',
  options: [],
  details: () => [],
  about: 'CUDA trace data',
  columns: [
    ...durationColumns(callTitles),
    textColumn('Name', 'the call, without an ABI version of four digits: two versions of a call are two rows'),
  ],
  rows: input => callSummary(input, ['cuda_runtime', 'cuda_driver'], reportApiName),
};

/** `osrt_sum`: calls into the operating system's libraries by name; wall time, in which a thread mostly waits. */
export const osRuntimeSummary: ReportDefinition = {
  id: 'osrt_sum',
  oldId: 'osrtsum',
  title: 'OS Runtime Summary',
  options: [],
  details: () => [],
  about: 'OS Runtime trace data',
  columns: [...durationColumns(callTitles), textColumn('Name', 'the call')],
  rows: input => callSummary(input, ['osrt'], name => name),
};

/** `cuda_api_gpu_sum`: API calls, kernels, copies and memsets; its shares mix CPU and GPU time. */
export const apiGpuSummary: ReportDefinition = {
  id: 'cuda_api_gpu_sum',
  oldId: 'apigpusum',
  title: 'CUDA Summary (API/Kernels/MemOps)',
  options: kernelNameOptions,
  details: kernelNameDetails,
  about: 'CUDA API or GPU data',
  columns: [...durationColumns({of: 'calls and operations', count: 'Instances'}), ...categoryColumns],
  rows: apiGpuRows,
};

/** A row per name of the slices of some kinds that are in scope. */
function callSummary(
  {trace, scope}: ReportInput,
  kinds: readonly SliceKind[],
  textOf: (name: string) => string,
): ReportRows {
  const {slices, strings} = trace;
  const wanted = new Uint8Array(256);
  for (const kind of kinds) wanted[kindIndex[kind]] = 1;
  const groupOfName = new Int32Array(strings.length).fill(-1);
  const names: string[] = [];
  const length = countOf();
  const groupOf = new Int32Array(length);
  const durationNs = new Float64Array(length);
  let at = 0;
  for (let row = 0; row < slices.length; row++) {
    if (!isIn(row)) continue;
    const name = slices.name[row];
    if (groupOfName[name] < 0) groupOfName[name] = names.push(textOf(strings.get(name))) - 1;
    groupOf[at] = groupOfName[name];
    durationNs[at++] = insideNs(slices.startNs[row], slices.durationNs[row], scope);
  }
  return summaryRows(durationNs, {groupOf, length: names.length}, group => [names[group]]);

  function isIn(row: number): boolean {
    return wanted[slices.kind[row]] === 1 && (scope.slices === null || scope.slices[row] === 1);
  }

  function countOf(): number {
    let count = 0;
    for (let row = 0; row < slices.length; row++) if (isIn(row)) count++;
    return count;
  }
}

function apiGpuRows(input: ReportInput): ReportRows {
  const {trace, scope} = input;
  const {slices, apiCalls, strings} = trace;
  const gpu = categorised(input);
  const callOf = gpu.names.byNumber(strings.length, name => reportApiName(strings.get(name)));
  const operations = gpu.groupOf.length;
  const groupOf = new Int32Array(operations + apiCalls.length);
  const durationNs = new Float64Array(groupOf.length);
  groupOf.set(gpu.groupOf);
  durationNs.set(operationDurations(input));
  for (let call = 0; call < apiCalls.length; call++) {
    const slice = apiCalls.slice[call];
    groupOf[operations + call] = scope.slices === null || scope.slices[slice] === 1 ? callOf(slices.name[slice]) : -1;
    durationNs[operations + call] = insideNs(slices.startNs[slice], slices.durationNs[slice], scope);
  }
  const {texts} = gpu.names;
  return summaryRows(durationNs, {groupOf, length: texts.length}, group => [
    gpu.category[group] ?? 'CUDA_API',
    texts[group],
  ]);
}
