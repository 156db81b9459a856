import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {kineto, kinetoText} from './kineto-events.js';

/**
 * Writes the files of a job of two ranks with one all-reduce: rank 1 arrives 30 µs later and takes 20 µs, rank 0 waits
 * for it.
 */
export function twoRanks(folder: string): [string, string] {
  const file = (rank: number, kernelUs: number) => {
    const path = join(folder, `rank${String(rank)}.pt.trace.json`);
    const kernel = {
      ...kineto.kernel(1, 100 - kernelUs, kernelUs, {
        'Collective name': 'allreduce',
        'In msg nelems': 1000,
        'Out msg nelems': 1000,
        'Group size': 2,
        dtype: 'Float',
        'Process Group Name': '0',
        Seq: 7,
      }),
      name: 'ncclDevKernel_AllReduce_Sum_f32_RING_LL',
    };
    const distributedInfo = {backend: 'nccl', rank, world_size: 2};
    writeFileSync(path, kinetoText([kineto.call(1, 0, 5), kernel], {distributedInfo}));
    return path;
  };
  return [file(0, 50), file(1, 20)];
}
