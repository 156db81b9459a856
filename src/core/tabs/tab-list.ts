import {isOfRanges, parseReportRequest, type ReportRequest} from '../reports/reports.js';

/** One table of the view. */
export interface TableTab {
  /** Of a text: `text/` and the number of the table. */
  readonly id: string;
  readonly title: string;
  /** What a row is: decides where else it can be shown. Nothing of a `plain` row is elsewhere. */
  readonly row: 'range' | 'kernel' | 'operation' | 'call' | 'operator' | 'step' | 'plain';
  /** Title of the column with the row's name; the last text where absent: profilers put names last. */
  readonly nameColumn?: string;
  /** Whether what counts as a range makes a difference. */
  readonly isOfRanges?: boolean;
  /** What the profile lacks where there is no row. */
  readonly about: string;
}

/** A tab whose rows are those of a report. */
export interface ReportTab extends TableTab {
  readonly report: string;
}

/** In the order of the view. */
const usualTabs: readonly ReportTab[] = [
  {id: 'nvtx', title: 'NVTX summary', row: 'range', about: 'tagged ranges (NVTX, record_function)', report: 'nvtx_sum'},
  {id: 'kernels', title: 'Kernels', row: 'kernel', about: 'CUDA kernels', report: 'cuda_gpu_kern_sum'},
  {id: 'kernel-grids', title: 'Kernels by grid', row: 'kernel', about: 'CUDA kernels', report: 'cuda_gpu_kern_gb_sum'},
  {id: 'kernel-classes', title: 'Kernel classes', row: 'plain', about: 'CUDA kernels', report: 'kernel_class_sum'},
  {id: 'operators', title: 'Operators', row: 'operator', about: 'PyTorch operators', report: 'key_averages'},
  {
    id: 'operators-by-shape',
    title: 'Operators by input shape',
    row: 'operator',
    nameColumn: 'Name',
    about: 'PyTorch operators',
    report: 'key_averages:group_by_input_shape',
  },
  {
    id: 'operators-by-stack',
    title: 'Operators by stack',
    row: 'operator',
    nameColumn: 'Name',
    about: 'PyTorch operators',
    report: 'key_averages:group_by_stack_n=5',
  },
  {
    id: 'operators-and-python',
    title: 'Operators and Python',
    row: 'operator',
    about: 'PyTorch operators and Python functions',
    report: 'key_averages:python',
  },
  {id: 'api', title: 'CUDA API', row: 'call', about: 'CUDA API calls', report: 'cuda_api_sum'},
  {
    id: 'memory',
    title: 'Memory operations',
    row: 'operation',
    about: 'copies and memsets',
    report: 'cuda_gpu_mem_time_sum',
  },
  {
    id: 'memory-size',
    title: 'Memory sizes',
    row: 'operation',
    about: 'copies and memsets',
    report: 'cuda_gpu_mem_size_sum',
  },
  {
    id: 'memory-ranges',
    title: 'Memory',
    row: 'range',
    nameColumn: 'Range',
    about: 'memory events: record with profile_memory=True, or nsys --cuda-memory-usage=true',
    report: 'memory_sum',
  },
  {
    id: 'memory-held',
    title: 'Memory held',
    row: 'range',
    nameColumn: 'Range',
    about: 'addresses of memory events: record with profile_memory=True',
    report: 'memory_held',
  },
  {
    id: 'collectives',
    title: 'Collectives',
    row: 'plain',
    about: 'collective communication',
    report: 'collective_sum',
  },
  {
    id: 'collective-calls',
    title: 'Collective calls',
    row: 'plain',
    about: 'collective communication',
    report: 'collective_trace',
  },
  {
    id: 'compiled',
    title: 'Compiled regions',
    row: 'operator',
    nameColumn: 'Operator',
    about: 'work of compiled regions (torch.compile)',
    report: 'compiled_sum',
  },
  {
    id: 'modules',
    title: 'Modules',
    row: 'plain',
    nameColumn: 'Module',
    about: 'calls of modules: record with GPU Lens, or with_stack=True',
    report: 'modules_sum',
  },
  {
    id: 'modules-each',
    title: 'Modules, each layer',
    row: 'plain',
    nameColumn: 'Module',
    about: 'calls of modules: record with GPU Lens, or with_stack=True',
    report: 'modules_sum:each',
  },
  {id: 'os', title: 'OS runtime', row: 'call', about: 'OS runtime calls', report: 'osrt_sum'},
];

export const rangesTab: TableTab = {
  id: 'ranges',
  title: 'Ranges',
  row: 'range',
  about: 'tagged ranges (NVTX, record_function)',
};
export const stepsTab: TableTab = {id: 'steps', title: 'Steps', row: 'step', about: 'steps'};
const timelineTab: ReportTab = {
  id: 'gpu-timeline',
  title: 'GPU time',
  row: 'plain',
  about: 'GPU work',
  report: 'gpu_timeline',
};
const stepTimelineTab: ReportTab = {
  id: 'gpu-timeline-steps',
  title: 'GPU time by step',
  row: 'step',
  about: 'steps with GPU work',
  report: 'gpu_timeline_steps',
};
const launchesTab: ReportTab = {
  id: 'launches',
  title: 'Launches',
  row: 'plain',
  about: 'GPU operations with API calls',
  report: 'launch_sum',
};
const breakdownTab: ReportTab = {
  id: 'step-breakdown',
  title: 'Step breakdown',
  row: 'step',
  about: 'steps',
  report: 'step_breakdown',
};
const qualityTab: ReportTab = {
  id: 'quality',
  title: 'Data quality',
  row: 'plain',
  about: 'events',
  report: 'data_quality',
};
export const ranksTab: ReportTab = {id: 'ranks', title: 'Ranks', row: 'plain', about: 'GPU work', report: 'rank_sum'};

/** Every tab that is a report. */
const reportTabs: readonly ReportTab[] = [
  ...usualTabs,
  ...[timelineTab, stepTimelineTab, launchesTab, breakdownTab, ranksTab, qualityTab],
];

/** The tabs of every trace, in the order of the view. */
export const traceTabs: readonly TableTab[] = [
  rangesTab,
  ...usualTabs,
  ...[timelineTab, launchesTab, stepsTab, breakdownTab, stepTimelineTab, ranksTab, qualityTab],
];

/** The report behind a tab with its options; null where it is none. */
export function reportOfTab(tab: string): ReportRequest | null {
  const report = reportTabs.find(({id}) => id === tab)?.report;
  return report === undefined ? null : parseReportRequest(report);
}

/** Whether what counts as a range makes a difference to a tab. */
export function isTabOfRanges(tab: string): boolean {
  const request = reportOfTab(tab);
  return tab === rangesTab.id || (request !== null && isOfRanges(request));
}
