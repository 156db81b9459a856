import {callsByName, type CallGroups} from '../figures/call-groups.js';
import {hasNoApiCalls} from './empty-traces.js';
import {categoryColumns, categoryRows, kernelNameDetails, operationCategories} from './gpu-summaries.js';
import {kernelNameOptions} from '../figures/kernel-names.js';
import type {ReportDefinition, ReportRows} from './report.js';
import {durationColumns, statisticsRows, textColumn} from './summary.js';

const callTitles = {of: 'calls', count: 'Num Calls'} as const;
const eventTitles = {of: 'events', count: 'Count'} as const;

/** `cuda_api_sum`: runtime and driver calls by name. @see docs/metrics.md#cuda-api-sum */
export const apiSummary: ReportDefinition = {
  id: 'cuda_api_sum',
  oldId: 'cudaapisum',
  title: 'CUDA API Summary',
  options: [],
  details: () => [],
  about: 'CUDA trace data',
  tabs: [
    {
      id: 'api',
      title: 'CUDA API',
      row: 'call',
      after: 'operators-and-python',
      about: 'CUDA API calls',
      isEmpty: hasNoApiCalls,
    },
  ],
  columns: [
    ...durationColumns(callTitles),
    textColumn('Name', 'the call, without an ABI version of four digits: two versions of a call are two rows', {
      role: 'name',
    }),
  ],
  rows: ({tables}) => callRows(tables.apiCalls),
};

/** `osrt_sum`: calls into the operating system's libraries by name. Wall time, which a thread mostly spends waiting. */
export const osRuntimeSummary: ReportDefinition = {
  id: 'osrt_sum',
  oldId: 'osrtsum',
  title: 'OS Runtime Summary',
  options: [],
  details: () => [],
  about: 'OS Runtime trace data',
  tabs: [{id: 'os', title: 'OS runtime', row: 'call', after: 'modules-each', about: 'OS runtime calls', group: 'CPU'}],
  columns: [...durationColumns(callTitles), textColumn('Name', 'the call', {role: 'name'})],
  rows: input => callRows(callsByName(input, ['osrt'], name => name)),
};

/** `openmp_sum`: events of the OpenMP runtime, by name. */
export const openmpSummary: ReportDefinition = {
  id: 'openmp_sum',
  oldId: 'openmpevtsum',
  title: 'OpenMP Summary',
  options: [],
  details: () => [],
  about: 'OpenMP event data',
  columns: [...durationColumns(eventTitles), textColumn('Name', 'the event', {role: 'name'})],
  rows: input => callRows(callsByName(input, ['openmp'], name => name)),
};

/** `openacc_sum`: events of the OpenACC runtime, by name. */
export const openaccSummary: ReportDefinition = {
  id: 'openacc_sum',
  oldId: 'openaccsum',
  title: 'OpenACC Summary',
  options: [],
  details: () => [],
  about: 'OpenACC event data',
  columns: [...durationColumns(eventTitles), textColumn('Name', 'the event', {role: 'name'})],
  rows: input => callRows(callsByName(input, ['openacc'], name => name)),
};

/** `cuda_api_gpu_sum`: API calls, kernels, copies and memsets. Its shares mix CPU and GPU time. */
export const apiGpuSummary: ReportDefinition = {
  id: 'cuda_api_gpu_sum',
  oldId: 'apigpusum',
  title: 'CUDA Summary (API/Kernels/MemOps)',
  options: kernelNameOptions,
  details: kernelNameDetails,
  about: 'CUDA API or GPU data',
  columns: [...durationColumns({of: 'calls and operations', count: 'Instances'}), ...categoryColumns],
  rows: ({tables, options}) =>
    categoryRows([
      ...operationCategories(tables, options),
      {category: 'CUDA_API', groups: tables.apiCallsOfAllVersions},
    ]),
};

function callRows({names, statistics}: CallGroups): ReportRows {
  return statisticsRows(statistics, group => [names[group]]);
}
