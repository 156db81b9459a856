import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {sliceGroups} from '../../../src/core/layout/slice-groups.js';
import {visibleSlices} from '../../../src/core/layout/visible-slices.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import {gpuOperationKinds, sliceKinds} from '../../../src/core/trace/slices.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {allLanes} from '../../support/all-lanes.js';
import {dataFolder, hasData} from '../../support/real-data.js';
import {traceFromText} from '../../support/trace-from-text.js';

const trace = traceFromText(`
  range forward   ======
  call            A  BB
  range other           ====
  call                  C    D
  stream 7          A BB   C D
`);

describe('visibleSlices(trace, window) with groups', () => {
  const blocksOf = (widthPx: number) => {
    const lanes = allLanes(trace.tracks.keys());
    const {blocks, groups} = visibleSlices(trace, {fromNs: 0, toNs: trace.spanNs, widthPx, lanes, groupBy: 'range'});
    return Array.from({length: blocks.length}, (_, block) => {
      const kind = sliceKinds[blocks.kind[block] ?? 0] ?? 'other';
      const name = groups?.names[groups.of[block] ?? -1] ?? null;
      return {isGpu: gpuOperationKinds.has(kind), count: blocks.count[block], name};
    });
  };

  it('tells the range that each operation counts for', () => {
    const names = blocksOf(1000).filter(({isGpu}) => isGpu);
    expect(names.map(({name}) => name)).toEqual(['forward', 'forward', 'other', null]);
  });

  it('tells none of a block that stands for operations of several', () => {
    const merged = (widthPx: number) => blocksOf(widthPx).filter(({isGpu, count}) => isGpu && (count ?? 0) > 1);
    expect(merged(4).map(({name}) => name)).toContain('forward');
    expect(merged(1).map(({name}) => name)).toEqual([null]);
  });

  it('has no groups where none are asked for', () => {
    const window = {fromNs: 0, toNs: trace.spanNs, widthPx: 100, lanes: allLanes(trace.tracks.keys())};
    expect(visibleSlices(trace, window).groups).toBeNull();
  });
});

describe.skipIf(!hasData)('sliceGroups(trace, by) of real profiles', () => {
  it('has the self work of each range', async () => {
    const real = await openTrace(join(dataFolder, 'kineto', 'ns-resolution-rank0.json.gz'));
    const {of, nameOf} = sliceGroups(real, 'range');
    const workNs = new Map<string, number>();
    for (const slice of real.gpuOperations.slice) {
      const group = of[slice] ?? -1;
      if (group < 0) continue;
      workNs.set(nameOf(group), (workNs.get(nameOf(group)) ?? 0) + (real.slices.durationNs[slice] ?? 0));
    }
    const expected = rangeRows(real, 'name')
      .map(({name, gpuSelfNs, backwardGpuSelfNs}) => [name, gpuSelfNs + backwardGpuSelfNs] as const)
      .filter(([name, ns]) => ns > 0 && !name.startsWith('('));
    expect(workNs).toEqual(new Map(expected));
    expect(expected).toHaveLength(3);
  });

  it('tells two processes apart', async () => {
    const real = await openTrace(join(dataFolder, 'nsys', 'train-2xh100-2proc.sqlite'));
    const {of, nameOf} = sliceGroups(real, 'rank');
    const {slice, process} = real.gpuOperations;
    expect(Array.from(slice, row => of[row])).toEqual([...process]);
    expect(new Set(Array.from(slice, row => nameOf(of[row] ?? -1))).size).toBe(2);
  });
});
