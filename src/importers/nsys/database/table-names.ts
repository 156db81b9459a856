/** The tables of GPU activity. */
export const gpuTable = {
  kernels: 'CUPTI_ACTIVITY_KIND_KERNEL',
  memcpys: 'CUPTI_ACTIVITY_KIND_MEMCPY',
  memsets: 'CUPTI_ACTIVITY_KIND_MEMSET',
  graphs: 'CUPTI_ACTIVITY_KIND_GRAPH_TRACE',
} as const;

/** Runtime and driver calls. */
export const apiCallTable = 'CUPTI_ACTIVITY_KIND_RUNTIME';
