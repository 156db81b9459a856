import type {MemoryFrames, MemorySnapshot, MemoryStacks} from './memory-snapshot.js';

/** The purpose of memory according to its stack, in order of precedence. */
export const memoryCategories = [
  'optimizer state',
  'gradients and backward',
  'parameters',
  'activations',
  'other',
  'no stack',
] as const;
type MemoryCategory = (typeof memoryCategories)[number];

/** Category → the bit of a stack in which some frame indicates it. */
const bits = {optimizer: 1, backward: 2, construction: 4, forward: 8} as const;

/**
 * Returns the index of each stack's category, guessed from its frames: an optimizer's step, a backward pass (including
 * its own temporary memory), the construction or moving of a module, or a module's forward. Stacks without such a frame
 * are `other`.
 *
 * @see docs/metrics.md#memory-snapshots
 */
export function categoryOfStacks({frames, stacks}: Pick<MemorySnapshot, 'frames' | 'stacks'>): Uint8Array {
  const signs = signsOfFrames(frames);
  const all = allSigns(stacks, signs);
  return all.map(sign => memoryCategories.indexOf(categoryOf(sign)));
}

function categoryOf(signs: number): MemoryCategory {
  if ((signs & bits.optimizer) !== 0) return 'optimizer state';
  if ((signs & bits.backward) !== 0) return 'gradients and backward';
  if ((signs & bits.construction) !== 0) return 'parameters';
  return (signs & bits.forward) === 0 ? 'other' : 'activations';
}

/** Parents come first, so one pass is enough. */
function allSigns({length, parent, frame}: MemoryStacks, signs: Uint8Array): Uint8Array {
  const all = new Uint8Array(length);
  for (let stack = 0; stack < length; stack++) {
    all[stack] = signs[frame[stack]] | (parent[stack] < 0 ? 0 : all[parent[stack]]);
  }
  return all;
}

function signsOfFrames({length, files, names}: MemoryFrames): Uint8Array {
  return Uint8Array.from({length}, (_, frame) => signOf(`/${files[frame].replaceAll('\\', '/')}`, names[frame]));
}

function signOf(file: string, name: string): number {
  const range = signOfRange(name);
  if (range !== 0) return range;
  if (isOptimizerFile(file)) return bits.optimizer;
  if (file.includes('/torch/autograd/') || (file.endsWith('/torch/_tensor.py') && name === 'backward')) {
    return bits.backward;
  }
  if (name === '__init__' || name === 'reset_parameters' || name === '_apply') return bits.construction;
  return name === 'forward' || name === '_call_impl' ? bits.forward : 0;
}

/** Returns the category that a profile's range indicates, in addition to Python frames. */
function signOfRange(name: string): number {
  if (name.startsWith('Optimizer.step#')) return bits.optimizer;
  if (name.startsWith('autograd::engine::')) return bits.backward;
  return name.startsWith('nn.Module: ') ? bits.forward : 0;
}

function isOptimizerFile(file: string): boolean {
  return file.includes('/torch/optim/') || /optim\w*\.py$/.test(file);
}

/** Stack → 1 if it is in the `step` of an optimizer, and thus not in its `zero_grad`. */
export function optimizerSteps({frames, stacks}: Pick<MemorySnapshot, 'frames' | 'stacks'>): Uint8Array {
  const isStep = Uint8Array.from(frames.names, (name, frame) => {
    const file = `/${frames.files[frame].replaceAll('\\', '/')}`;
    return /(?:^|\.)step$/.test(name) && isOptimizerFile(file) ? 1 : 0;
  });
  return allSigns(stacks, isStep);
}
