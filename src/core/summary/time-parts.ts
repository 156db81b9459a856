import {kernelClass, type KernelClass} from '../names/kernel-class.js';

/**
 * What a moment of a step can go to. Of the operations that run at once the first in this order has it; where none runs,
 * the cause of the idle time has it.
 */
export const timeParts = [
  'matrix product',
  'attention',
  'convolution',
  'normalisation',
  'softmax',
  'reduction',
  'elementwise',
  'copy',
  'other',
  'graph',
  'memcpy',
  'memset',
  'communication',
  'idle/loader',
  'idle/allocation',
  'idle/wait',
  'idle/launch',
  'idle/other',
  'outside',
  'cpu/loader',
  'cpu/work',
  'cpu/other',
] as const;
export type TimePart = (typeof timeParts)[number];

/** How a part is called, and the sentence that explains it. */
export const partTexts: Readonly<Record<TimePart, readonly [title: string, meaning: string]>> = {
  'matrix product': ['Matrix products', 'a kernel of this class runs'],
  attention: ['Attention', 'a fused attention kernel runs'],
  convolution: ['Convolutions', 'a kernel of this class runs'],
  normalisation: ['Normalisation', 'a kernel of this class runs'],
  softmax: ['Softmax', 'a kernel of this class runs'],
  reduction: ['Reductions', 'a kernel of this class runs'],
  elementwise: ['Elementwise', 'a kernel of this class runs'],
  copy: ['Copy kernels', 'a kernel runs that copies, gathers or transposes'],
  other: ['Other kernels', 'a kernel runs whose name tells no class'],
  graph: ['CUDA graphs', 'a graph runs that was recorded as a whole'],
  memcpy: ['Copies', 'a copy runs, and no kernel'],
  memset: ['Memsets', 'a memset runs, and no kernel or copy'],
  communication: ['Exposed communication', 'communication runs, and nothing else'],
  'idle/loader': ['Idle: data loader', 'nothing runs, and a thread waits for the data loader'],
  'idle/allocation': ['Idle: memory allocation', 'nothing runs, and a thread allocates or frees memory'],
  'idle/wait': ['Idle: waits for the GPU', 'nothing runs since the program waited for the GPU before it launched more'],
  'idle/launch': ['Idle: late launches', 'nothing runs since the CPU launched the next operation too late'],
  'idle/other': ['Idle: other causes', 'nothing runs, and the next operation was launched in time'],
  outside: ['Before or after GPU work', 'before the GPU’s first operation or after its last one'],
  'cpu/loader': ['Data loader', 'a thread waits for the next batch'],
  'cpu/work': ['Operators and ranges', 'a thread runs an operator, an annotated range or a call'],
  'cpu/other': ['Other CPU time', 'no recorded activity'],
};

/** Whether nothing runs on the GPU in a part. */
export const isIdlePart = (part: TimePart): boolean => part.startsWith('idle/') || part === 'outside';

/** Part → its place in `timeParts`. */
export const partIndex = Object.fromEntries(timeParts.map((part, at) => [part, at])) as Record<TimePart, number>;

/** The part of a kernel by its name. */
export function partOfKernel(name: string): TimePart {
  const found: KernelClass = kernelClass(name);
  return found;
}
