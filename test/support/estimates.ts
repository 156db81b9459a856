import type {Variant} from '../../src/core/estimate/block-parts.js';
import {estimate, type Estimate} from '../../src/core/estimate/estimate.js';
import {modelPreset} from '../../src/core/estimate/model-presets.js';
import type {ModelShape} from '../../src/core/estimate/model-shape.js';
import {oneGpu, type Parallelism} from '../../src/core/estimate/parallelism.js';
import {systemPreset} from '../../src/core/estimate/system-presets.js';
import type {System} from '../../src/core/estimate/system.js';

/** Returns a preset's shape with some changed figures. */
export function shape(id: string, changes: Partial<ModelShape> = {}): ModelShape {
  const preset = modelPreset(id);
  if (!preset) throw new Error(`no model ${id}`);
  return {...preset.shape, ...changes};
}

/** Returns a preset's system. */
export function system(id: string): System {
  const preset = systemPreset(id);
  if (!preset) throw new Error(`no system ${id}`);
  return preset.system;
}

/** Returns an estimate in fp16 on A100s. */
export function estimateOf(
  model: ModelShape,
  parallelism: Parallelism = oneGpu,
  {variant = 'corrected', on = system('a100-40gb')}: {variant?: Variant; on?: System} = {},
): Estimate {
  return estimate({shape: model, system: on, parallelism, precision: 'fp16', variant});
}

/** Returns 1D parallelism with sequences split like tensors. */
export function line(tensor: number, sequence = tensor, expert = 1): Parallelism {
  return {kind: '1D', tensor, sequence, expert};
}

/** Returns the bytes that one GPU receives, forward and backward, in one layer of the model. */
export function sentBytes(result: Estimate, pass: 'forward' | 'backward', layers?: readonly string[]): number {
  const transfers = result.blocks
    .flatMap(block => block.layers)
    .filter(({cost}) => layers?.includes(cost.name) ?? true)
    .flatMap(({cost}) => (pass === 'forward' ? cost.forwardTransfers : cost.backwardTransfers));
  return transfers.reduce((sum, {bytes}) => sum + bytes, 0);
}
