import {graphCategory, nsysKinds} from '../../core/export/event-categories.js';
import type {SliceKind} from '../../core/trace/slices.js';

/** What MTIA's command processor does: computing, copies, and waits for events. */
const mtiaOperations = 'mtia_ccp_events';

/** What only an export to Perfetto's format writes: ranges and calls of a report of Nsight Systems keep their kinds. */
const ofExports: Readonly<Record<string, SliceKind>> = {
  ...Object.fromEntries(nsysKinds.map(kind => [kind, kind])),
  [graphCategory]: 'graph',
};

/**
 * Kineto's categories, by what they are. The capitalised ones are those of 2021.
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

/** The kind of slice that a category makes; unknown ones are "other", so that nothing is lost. */
export function sliceKindOf(category: string): SliceKind {
  const known = Object.hasOwn(kindOfCategory, category) ? kindOfCategory[category] : undefined;
  if (known) return known;
  // Every backend names its own: cuda_runtime, mtia_runtime, xpu_runtime, privateuse1_runtime, and drivers alike.
  if (category.endsWith('_runtime')) return 'cuda_runtime';
  return category.endsWith('_driver') ? 'cuda_driver' : 'other';
}

/** Returns which accelerator's operations a category holds, null where that is a GPU or no device at all. */
export function acceleratorOf(category: string): string | null {
  return category === mtiaOperations ? 'MTIA' : null;
}

/** Whether a category is one that the PyTorch profiler writes: a trace without any is a generic Chrome trace. */
export function isKinetoCategory(category: string): boolean {
  return sliceKindOf(category) !== 'other';
}
