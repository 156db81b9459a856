import {readFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {theoreticalOccupancy} from '../../../src/core/figures/occupancy.js';
import type {SmLimits} from '../../../src/core/trace/sm-limits.js';
import {describeEachFile} from '../../support/each-file.js';
import {dataFiles} from '../../support/real-data.js';

const a100: SmLimits = {
  device: 0,
  computeMajor: 8,
  computeMinor: 0,
  threads: 2048,
  registers: 65_536,
  sharedBytes: 167_936,
  blocks: null,
};

describe('theoreticalOccupancy(needs, limits)', () => {
  it('is limited by what runs out first', () => {
    const of = (threads: number, registersPerThread: number, sharedBytes: number) =>
      theoreticalOccupancy({threads, registersPerThread, sharedBytes}, a100);
    expect(of(256, 32, 0)).toEqual({fraction: 1, blocksPerSm: 8, limitedBy: 'warps'});
    expect(of(256, 47, 0)).toEqual({fraction: 0.625, blocksPerSm: 5, limitedBy: 'registers'});
    expect(of(32, 32, 0)).toEqual({fraction: 0.5, blocksPerSm: 32, limitedBy: 'blocks'});
    // 48 KiB and the system's 1 KiB: three times in 164 KiB.
    expect(of(128, 32, 49_152)).toEqual({fraction: 0.1875, blocksPerSm: 3, limitedBy: 'shared memory'});
  });

  it('is not told of a block that does not fit, and of a device that is not known', () => {
    const needs = {threads: 256, registersPerThread: 32, sharedBytes: 0};
    expect(theoreticalOccupancy({...needs, sharedBytes: 1e6}, a100)).toBeNull();
    expect(theoreticalOccupancy({...needs, threads: 0}, a100)).toBeNull();
    expect(theoreticalOccupancy({...needs, threads: NaN}, a100)).toBeNull();
    expect(theoreticalOccupancy(needs, {...a100, computeMajor: 6})).toBeNull();
    expect(theoreticalOccupancy(needs, {...a100, computeMajor: 19})).toBeNull();
    expect(theoreticalOccupancy(needs, {...a100, threads: 0})).toBeNull();
  });
});

interface Kernel {
  readonly cat?: string;
  readonly args?: Readonly<Record<string, unknown>>;
}
type Properties = Readonly<Record<string, number>>;

describeEachFile([
  ...dataFiles('kineto', 'alexnet-cuda-sync.json.gz'),
  ...dataFiles('kineto', 'bert-small-h100.json.gz'),
  ...dataFiles('kineto', 'ns-resolution-rank0.json.gz'),
])('theoreticalOccupancy(needs, limits) of the kernels of $name', ({path}) => {
  it('is what CUPTI calculated, of as many blocks as there are', () => {
    const {traceEvents, deviceProperties} = JSON.parse(gunzipSync(readFileSync(path)).toString()) as {
      traceEvents: Kernel[];
      deviceProperties: Properties[];
    };
    let compared = 0;
    const seen = new Set<string>();
    for (const {args = {}} of traceEvents.filter(({cat}) => cat === 'kernel')) {
      const told = args['est. achieved occupancy %'];
      const perSm = args['blocks per SM'];
      const properties = deviceProperties.find(({id}) => id === args['device']);
      const key = JSON.stringify([args['block'], args['registers per thread'], args['shared memory'], perSm]);
      if (typeof told !== 'number' || typeof perSm !== 'number' || !properties || seen.has(key)) continue;
      seen.add(key);
      const member = (name: string) => properties[name] ?? NaN;
      const limits = {
        device: 0,
        computeMajor: member('computeMajor'),
        computeMinor: member('computeMinor'),
        threads: member('maxThreadsPerMultiprocessor'),
        registers: member('regsPerMultiprocessor'),
        sharedBytes: member('sharedMemPerMultiprocessor'),
        blocks: null,
      };
      const threads = (args['block'] as number[]).reduce((all, size) => all * size, 1);
      const needs = {
        threads,
        registersPerThread: Number(args['registers per thread']),
        sharedBytes: Number(args['shared memory']),
      };
      const found = theoreticalOccupancy(needs, limits);
      // 0 is told where CUPTI gave no figure.
      if (told === 0 && (100 * perSm * threads) / limits.threads >= 1) continue;
      const blocks = Math.min(found?.blocksPerSm ?? NaN, perSm);
      // In whole percent of threads, rounded either way.
      expect([key, Math.abs((100 * blocks * threads) / limits.threads - told) <= 1]).toEqual([key, true]);
      compared++;
    }
    expect(compared).toBeGreaterThan(5);
  });
});
