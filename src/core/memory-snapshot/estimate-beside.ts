import type {TrainingMemory} from '../estimate/training-memory.js';
import {formatQuantity} from '../format/quantity.js';
import {allocationGroups, noHistory} from './allocation-groups.js';
import {formatBytes} from './format-bytes.js';
import type {MemorySnapshot} from './memory-snapshot.js';
import type {DeviceMemory} from './replay.js';

/** Live bytes of a category at a moment. */
export interface CategoryBytes {
  readonly name: string;
  readonly bytes: number;
}

/**
 * A row of an estimate next to the measured bytes; the difference is unexplained.
 *
 *     part              estimatedBytes  measuredBytes  unexplainedBytes
 *     parameters                   800           null              null   no such block is within the history
 *     activations                  500            620               120
 *     before the history          null            810              null
 *     total                       1300           1430               130
 */
export interface EstimateRow {
  readonly part: string;
  /** By formula; null if the formulas do not cover it. */
  readonly estimatedBytes: number | null;
  /** Null if the recording does not show it: such blocks may be among those from before the history. */
  readonly measuredBytes: number | null;
  /** Measured minus estimated; null if either is unknown. */
  readonly unexplainedBytes: number | null;
}

export interface EstimateBeside {
  /** Number of weights of the estimated model. */
  readonly weights: number;
  readonly rows: readonly EstimateRow[];
  /** What the figures mean, and what they do not show. */
  readonly text: string;
}

/** Category of the snapshot → the part under which it is measured. A memory timeline has other categories. */
const partOfCategory: Readonly<Record<string, string>> = {
  parameters: 'parameters',
  parameter: 'parameters',
  'gradients and backward': 'gradients',
  gradient: 'gradients',
  autograd_detail: 'gradients',
  'optimizer state': 'optimizer state',
  optimizer_state: 'optimizer state',
  activations: 'activations',
  activation: 'activations',
};

/** Returns live bytes at a moment by category; they add up to the allocated bytes. */
export function categoryBytes(snapshot: MemorySnapshot, memory: DeviceMemory, moment: number): CategoryBytes[] {
  const {groupOf, names} = allocationGroups(snapshot, memory, 'category');
  const {length, bytes, fromMoment, untilMoment} = memory.allocations;
  const sums = new Float64Array(names.length);
  for (let i = 0; i < length; i++) {
    if (fromMoment[i] <= moment && moment < untilMoment[i]) sums[groupOf[i]] += bytes[i];
  }
  return names.map((name, group) => ({name, bytes: sums[group]}));
}

/** Returns an estimate next to the categories of a moment. @see docs/metrics.md#memory-snapshots */
export function estimateBeside(estimated: TrainingMemory, categories: readonly CategoryBytes[]): EstimateBeside {
  const measured = new Map<string, number>();
  for (const {name, bytes} of categories) {
    const part = name === noHistory ? before : (partOfCategory[name.toLowerCase()] ?? 'other');
    measured.set(part, (measured.get(part) ?? 0) + bytes);
  }
  const beforeBytes = measured.get(before) ?? 0;
  const parts: [string, number][] = [
    ['parameters', estimated.parameterBytes],
    ['gradients', estimated.gradientBytes],
    ['optimizer state', estimated.optimizerBytes],
    ['activations', estimated.activationBytes],
  ];
  const known = parts.map(([part, bytes]): EstimateRow => {
    const found = measured.get(part) ?? 0;
    return rowOf(part, bytes, found === 0 && beforeBytes > 0 ? null : found);
  });
  const others = [before, 'other']
    .filter(part => (measured.get(part) ?? 0) > 0)
    .map(part => rowOf(part, null, measured.get(part) ?? 0));
  const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
  const total = rowOf('total', sum(parts.map(([, bytes]) => bytes)), sum(measured.values()));
  return {weights: estimated.weights, rows: [...known, ...others, total], text: aboutText(estimated, beforeBytes)};
}

const before = 'before the history';

function rowOf(part: string, estimatedBytes: number | null, measuredBytes: number | null): EstimateRow {
  const isBoth = estimatedBytes !== null && measuredBytes !== null;
  return {part, estimatedBytes, measuredBytes, unexplainedBytes: isBoth ? measuredBytes - estimatedBytes : null};
}

function aboutText({weights, parameterBytes}: TrainingMemory, beforeBytes: number): string {
  const texts = [
    `Estimated for ${formatQuantity(weights, '')} weights on one GPU, activations as at the end of forward. Measured parts are guessed from stacks.`,
  ];
  if (beforeBytes > 0 && parameterBytes > 0) {
    texts.push(
      `What was allocated before the history (${formatBytes(beforeBytes)}) is ${(beforeBytes / parameterBytes).toFixed(2)} times the estimated parameters; the recording does not tell what it is for.`,
    );
  }
  return texts.join(' ');
}
