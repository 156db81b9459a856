import {graphCategory, nsysKinds} from '../../core/export/event-categories.js';
import type {SliceKind} from '../../core/trace/slices.js';

/** The operations of MTIA's command processor: computation, copies, and waits for events. */
const mtiaOperations = 'mtia_ccp_events';

/**
 * Categories that only an export to Perfetto's format writes, so that ranges and calls of an Nsight Systems report keep
 * their kinds.
 */
const ofExports: Readonly<Record<string, SliceKind>> = {
  ...Object.fromEntries(nsysKinds.map(kind => [kind, kind])),
  [graphCategory]: 'graph',
};

/**
 * The kind of each Kineto category. The capitalised ones are those of 2021.
 *
 * @see shared names in libkineto/include/ActivityType.h
 */
const kindOfCategory: Readonly<Record<string, SliceKind>> = {
  cpu_op: 'cpu_op',
  Operator: 'cpu_op',
  user_annotation: 'user_annotation',
  gpu_user_annotation: 'gpu_user_annotation',
  python_function: 'python_function',
  kernel: 'kernel',
  Kernel: 'kernel',
  gpu_memcpy: 'gpu_memcpy',
  Memcpy: 'gpu_memcpy',
  gpu_memset: 'gpu_memset',
  Memset: 'gpu_memset',
  Runtime: 'cuda_runtime',
  cuda_sync: 'cuda_sync',
  xpu_sync: 'cuda_sync',
  cuda_event: 'cuda_sync',
  overhead: 'overhead',
  [mtiaOperations]: 'kernel',
  Trace: 'profiler_span',
  ...ofExports,
};

/** Returns the kind of slices in a category; unknown categories are "other", so that nothing is lost. */
export function sliceKindOf(category: string): SliceKind {
  const known = Object.hasOwn(kindOfCategory, category) ? kindOfCategory[category] : undefined;
  if (known) return known;
  // Each backend has its own: cuda_runtime, mtia_runtime, xpu_runtime, privateuse1_runtime, and likewise for drivers.
  if (category.endsWith('_runtime')) return 'cuda_runtime';
  return category.endsWith('_driver') ? 'cuda_driver' : 'other';
}

/** Returns the accelerator whose operations a category contains; null if it is a GPU, or no device. */
export function acceleratorOf(category: string): string | null {
  return category === mtiaOperations ? 'MTIA' : null;
}

/** Returns whether the PyTorch profiler writes a category: a trace without any such is a generic Chrome trace. */
export function isKinetoCategory(category: string): boolean {
  return sliceKindOf(category) !== 'other';
}
