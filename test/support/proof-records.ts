import type {SameRecord, Surroundings, WorkRecord} from '../../src/core/prove/process-record.js';
import type {RunRecord} from '../../src/core/prove/run-record.js';

export const quiet: Surroundings = {reads: [], outerReads: [], leftReads: [], profilers: [], foreignCode: []};

/** Returns the record of a process that trained a small model for twenty steps, with changes. */
export function work(change: Partial<WorkRecord> = {}): WorkRecord {
  return {
    compiles: false,
    counts: {train: 20, backward: 20, infer: 20},
    losses: [1, 0.5],
    shapes: new Map([['torch.float32[8, 4]', 20]]),
    inputElements: 640,
    dtypes: ['torch.float32'],
    modes: ['training mode, with gradients'],
    flops: new Map([['torch.float32', 1000]]),
    precision: 'float32 matmul precision highest, TF32 off',
    outputs: {digest: 'o', norm: 3},
    parameters: {digest: 'p', norms: [1, 2], count: 12},
    device: 'cpu',
    ...change,
  };
}

/** Returns a successful run, with changes. */
export function run(change: Partial<RunRecord> = {}): RunRecord {
  return {
    ...{status: 0, wallNs: 1e9, importNs: 0, waitedNs: null, printed: '', complaint: ''},
    ...{work: null, clock: null, same: null, surroundings: quiet},
    ...change,
  };
}

/** Returns the result of a user's function. */
export function same(numbers: readonly number[], structure = 'torch.float32(2,)'): SameRecord {
  return {structure, numbers, digest: numbers.join(' ')};
}
