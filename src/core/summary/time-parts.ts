import {say, template} from '../base/say.js';
import {kernelClass, type KernelClass} from '../names/kernel-class.js';

/**
 * The parts of a step's time. If several operations run at once, the first part in this order gets the moment; if none
 * runs, the cause of the idle time does.
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

/** The title of each part, and the sentence that explains it: templates. */
const partTexts: Readonly<Record<TimePart, readonly [title: string, meaning: string]>> = {
  'matrix product': [template('Matrix products'), template('a kernel of this class runs')],
  attention: [template('Attention'), template('a fused attention kernel runs')],
  convolution: [template('Convolutions'), template('a kernel of this class runs')],
  normalisation: [template('Normalisation'), template('a kernel of this class runs')],
  softmax: [template('Softmax'), template('a kernel of this class runs')],
  reduction: [template('Reductions'), template('a kernel of this class runs')],
  elementwise: [template('Elementwise'), template('a kernel of this class runs')],
  copy: [template('Copy kernels'), template('a kernel runs that copies, gathers or transposes')],
  other: [template('Other kernels'), template('a kernel runs whose name tells no class')],
  graph: [template('CUDA graphs'), template('a graph runs that was recorded as a whole')],
  memcpy: [template('Copies'), template('a copy runs, and no kernel')],
  memset: [template('Memsets'), template('a memset runs, and no kernel or copy')],
  communication: [template('Exposed communication'), template('communication runs, and nothing else')],
  'idle/loader': [template('Idle: data loader'), template('nothing runs, and a thread waits for the data loader')],
  'idle/allocation': [
    template('Idle: memory allocation'),
    template('nothing runs, and a thread allocates or frees memory'),
  ],
  'idle/wait': [
    template('Idle: waits for the GPU'),
    template('nothing runs since the program waited for the GPU before it launched more'),
  ],
  'idle/launch': [
    template('Idle: late launches'),
    template('nothing runs since the CPU launched the next operation too late'),
  ],
  'idle/other': [template('Idle: other causes'), template('nothing runs, and the next operation was launched in time')],
  outside: [template('Before or after GPU work'), template('before the GPU’s first operation or after its last one')],
  'cpu/loader': [template('Data loader'), template('a thread waits for the next batch')],
  'cpu/work': [template('Operators and ranges'), template('a thread runs an operator, an annotated range or a call')],
  'cpu/other': [template('Other CPU time'), template('no recorded activity')],
};

/** Returns the title of a part. */
export const partTitle = (part: TimePart): string => say(partTexts[part][0]);

/** Returns the sentence that explains a part. */
export const partMeaning = (part: TimePart): string => say(partTexts[part][1]);

/** Returns whether the GPU runs nothing in a part. */
export const isIdlePart = (part: TimePart): boolean => part.startsWith('idle/') || part === 'outside';

/** Part → its index in `timeParts`. */
export const partIndex = Object.fromEntries(timeParts.map((part, at) => [part, at])) as Record<TimePart, number>;

/** Returns the part of a kernel, by its name. */
export function partOfKernel(name: string): TimePart {
  const found: KernelClass = kernelClass(name);
  return found;
}
