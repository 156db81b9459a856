import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {compiledRegions} from '../../../src/core/lines/compiled-regions.js';
import {lineDetails} from '../../../src/core/lines/line-details.js';
import {lineTimings} from '../../../src/core/lines/line-timings.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import {rangeTree} from '../../../src/core/questions/range-tree.js';
import {sourceLines} from '../../../src/core/lines/source-lines.js';
import {windowSummary} from '../../../src/core/questions/window-summary.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {project} from '../../support/project.js';
import {dataFolder, hasData} from '../../support/real-data.js';
import {randomTrace} from '../../support/random-trace.js';
import {traceFromText} from '../../support/trace-from-text.js';

// The window is from 6 µs to 15 µs: it cuts B and D, leaves A and E out, and has no whole step.
const trace = traceFromText(`
range step_1     ===========
range step_2                =========
range layer        == ==    ======
call            A  B  C     D     E
stream 7         AA  BBBBCC  DDDD  EEEE
`);
const window = {fromNs: 6000, toNs: 15_000};

/** The rows of `gpu-lens ranges --from --to`, buckets left out, by name or path. */
function rowsOf(of: Trace, selection: {fromNs: number; toNs: number}, by: 'name' | 'path' = 'name') {
  return rangeRows(of, by, {selection}).filter(({name}) => !name.startsWith('('));
}

describe('figures of lines in a window', () => {
  it('count of what lies on an edge the part inside, and nothing outside', () => {
    const [timing] = lineTimings(trace, [[['layer']]], window);
    expect(timing).toMatchObject({
      of: window,
      steps: 0,
      // B: 6 to 9 µs; C: 9 to 11 µs; D: 13 to 15 µs.
      gpuWorkNs: 3000 + 2000 + 2000,
      allGpuWorkNs: 7000,
      allWallNs: 9000,
      // The first has ended by then; of the last 3 µs are inside.
      count: 2,
      cpuWallNs: 2000 + 3000,
      peakBytes: NaN,
    });
    expect(timing?.stepDeviationNs).toBeNaN();
  });

  it('name the kernels with the parts inside, and no steps', () => {
    const {kernels, stepWorkNs, stepWallNs, instanceWork, instanceWall} = lineDetails(trace, [['layer']], window);
    // All three have work inside, B of the first, which was closed before; two are open.
    expect(instanceWork).toEqual({leastNs: 2000, medianNs: 2000, mostNs: 3000});
    expect(instanceWall).toEqual({leastNs: 2000, medianNs: 2500, mostNs: 3000});
    expect(kernels).toEqual([
      {name: 'kernel_B', workNs: 3000, count: 1},
      {name: 'kernel_C', workNs: 2000, count: 1},
      {name: 'kernel_D', workNs: 2000, count: 1},
    ]);
    expect([stepWorkNs, stepWallNs]).toEqual([[], []]);
  });

  it('are none of a range that has no part in it, although it has one in the profile', () => {
    const [timing] = lineTimings(trace, [[['layer']]], {fromNs: 0, toNs: 1000});
    expect(timing).toMatchObject({nameCount: 1, count: 0, operations: 0, gpuWorkNs: 0, isGpuProfile: true});
  });

  it('are of the window that is asked for, whichever was asked for before', () => {
    const workNs = (of: Parameters<typeof lineTimings>[2]) => lineTimings(trace, [[['layer']]], of)[0]?.gpuWorkNs;
    expect([window, {...window, toNs: 9000}, 'steps' as const, window].map(workNs)).toEqual([7000, 3000, 10_000, 7000]);
  });

  it('are those of gpu-lens ranges with the same window, in random traces', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = randomTrace(seed);
      const selection = {fromNs: Math.floor(random.spanNs * 0.3), toNs: Math.floor(random.spanNs * (0.4 + seed / 150))};
      const rows = rowsOf(random, selection);
      const timings = lineTimings(
        random,
        rows.map(({name}) => [[name]]),
        selection,
      );
      const {allOperationsNs} = windowSummary(random, selection);
      timings.forEach((timing, at) => {
        const {count, cpuWallNs, gpuWorkNs, backwardGpuWorkNs, gpuBusyNs, gpuSpanNs} = rows[at] ?? {};
        expect(timing).toMatchObject({count, cpuWallNs, gpuWorkNs, backwardGpuWorkNs, gpuBusyNs, gpuSpanNs});
        expect(timing.allGpuWorkNs).toBe(allOperationsNs);
        const {kernels, otherKernels} = lineDetails(random, [[rows[at]?.name ?? '']], selection);
        const kernelNs = kernels.reduce((sum, {workNs}) => sum + workNs, 0);
        if (otherKernels === 0) expect(kernelNs).toBeLessThanOrEqual(timing.gpuWorkNs + timing.backwardGpuWorkNs);
      });
    }
  });
});

it('rangeTree(trace, window) has the figures of gpu-lens ranges --by path with the same window', () => {
  const tree = rangeTree(trace, window);
  const rows = rowsOf(trace, window, 'path');
  expect(tree).toMatchObject({of: window, steps: 0, allGpuWorkNs: 7000, allWallNs: 9000});
  // Steps are one node.
  const layersNs = rows.filter(({name}) => name === 'layer').map(({gpuWorkNs}) => gpuWorkNs);
  expect(tree.nodes.map(({name, gpuWorkNs}) => [name, gpuWorkNs])).toEqual([
    ['step_*', 7000],
    ['layer', layersNs.reduce((sum, ns) => sum + ns, 0)],
  ]);
});

it('windows side by side add up to the whole, of ranges and of what torch.compile made', async () => {
  const real = await openTrace(join(project, 'test', 'fixtures', 'compiled', 'train.pt.trace.json.gz'));
  const middleNs = Math.floor(real.spanNs / 2);
  const halves = [
    {fromNs: 0, toNs: middleNs},
    {fromNs: middleNs, toNs: real.spanNs},
  ];
  const wallNs = halves.map(half => compiledRegions(real, half)?.timing.cpuWallNs ?? NaN);
  const [one, other] = wallNs;
  expect(Math.min(...wallNs)).toBeGreaterThan(0);
  const spans = compiledRegions(real, {fromNs: 0, toNs: real.spanNs})?.timing;
  expect((one ?? NaN) + (other ?? NaN)).toBe(spans?.cpuWallNs);
  expect(spans?.of).toEqual({fromNs: 0, toNs: real.spanNs});
});

describe.skipIf(!hasData)('figures of windows of a real profile', () => {
  it('add up, by lines of Python stacks, to all GPU work of the window', async () => {
    const real = await openTrace(join(dataFolder, 'kineto', 'bert-small-h100.json.gz'));
    const parts = [0, 0.31, 0.62, 1].map(part => Math.floor(real.spanNs * part));
    const windows = parts.slice(1).map((toNs, at) => ({fromNs: parts[at] ?? 0, toNs}));
    const works = windows.map(part => sourceLines(real, part));
    expect(works.map(({allGpuWorkNs}) => allGpuWorkNs)).toEqual(
      windows.map(part => windowSummary(real, part).allOperationsNs),
    );
    const whole = sourceLines(real, 'profile');
    const selfNs = ({lines}: typeof whole) =>
      lines.reduce((sum, line) => sum + line.gpuSelfNs + line.backwardGpuSelfNs, 0);
    expect(works.reduce((sum, work) => sum + selfNs(work), 0)).toBe(selfNs(whole));
    expect(Math.max(...works.map(selfNs))).toBeGreaterThan(0);
  });
});
