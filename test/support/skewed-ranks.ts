import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {kineto, kinetoText} from './kineto-events.js';
import {seededRandom} from './random.js';

/** A job of ranks that reach each collective at different times, and how long each waits for the others there. */
export interface SkewedRanks {
  /** One file for each rank, by rank. */
  readonly files: readonly string[];
  /** `waitNs[rank][call]`: until the last rank has arrived. */
  readonly waitNs: readonly (readonly number[])[];
  /** By call: from the arrival of the last rank. */
  readonly transferNs: readonly number[];
}

const operations = ['allreduce', 'allgather'] as const;

/** Writes the files of such a job. Every rank has its own clock: only durations can be compared. */
export function skewedRanks(folder: string, seed: number): SkewedRanks {
  const random = seededRandom(seed);
  const whole = (most: number) => Math.floor(random() * most);
  const ranks = 2 + whole(4);
  const calls = Array.from({length: 8}, (_, call) => ({
    arrivalUs: Array.from({length: ranks}, () => 1000 * call + whole(300)),
    transferUs: 1 + whole(400),
    operation: operations[whole(2)] ?? 'allreduce',
  }));
  const last = (arrivalUs: readonly number[]) => Math.max(...arrivalUs);
  const files = Array.from({length: ranks}, (_, rank) => {
    const clockUs = 5000 + whole(100_000);
    const events = calls.flatMap(({arrivalUs, transferUs, operation}, call) => {
      const startUs = arrivalUs[rank] ?? 0;
      const launch = kineto.call(call + 1, clockUs + startUs - 1, 1);
      const kernel = kineto.kernel(call + 1, clockUs + startUs, last(arrivalUs) + transferUs - startUs, {
        ...{'Collective name': operation, 'In msg nelems': 1000, 'Out msg nelems': 1000, dtype: 'Float'},
        ...{'Group size': ranks, 'Process Group Name': '0', Seq: call + 1},
      });
      return [launch, {...kernel, name: 'ncclDevKernel_Any_RING_LL'}];
    });
    const path = join(folder, `job${String(seed)}.rank${String(rank)}.pt.trace.json`);
    const distributedInfo = {backend: 'nccl', rank, world_size: ranks};
    writeFileSync(path, kinetoText([kineto.op('aten::begin', clockUs - 50, 1), ...events], {distributedInfo}));
    return path;
  });
  return {
    files,
    waitNs: files.map((_, rank) => calls.map(({arrivalUs}) => 1000 * (last(arrivalUs) - (arrivalUs[rank] ?? 0)))),
    transferNs: calls.map(({transferUs}) => 1000 * transferUs),
  };
}
