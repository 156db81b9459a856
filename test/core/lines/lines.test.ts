import {describe, expect, it} from 'vitest';
import {lineTimings} from '../../../src/core/lines/line-timings.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import {rangePlace} from '../../../src/core/figures/range-places.js';
import {sliceDetails} from '../../../src/core/questions/slice-details.js';
import {traceFromText} from '../../support/trace-from-text.js';

const trace = traceFromText(`
  range step      ====================
  range layer_0    =====
  range layer_1          =====
  call              A     B
  stream 7           AAA   BBBBBBBBBBBB
`);

describe('lineTimings(trace, lines)', () => {
  it('sums the ranges that a pattern opens, each operation once', () => {
    const [layers, step, none] = lineTimings(trace, [[['layer_', '']], [['step']], [['never']]]);
    expect(layers).toMatchObject({count: 2, nameCount: 2, cpuWallNs: 10_000, gpuWorkNs: 15_000});
    expect(layers?.names.map(({name, workNs}) => [name, workNs])).toEqual([
      ['layer_1', 12_000],
      ['layer_0', 3000],
    ]);
    expect(layers?.leastWorkNs).toBe(3000);
    expect(step).toMatchObject({count: 1, gpuWorkNs: 15_000, allGpuWorkNs: 15_000});
    expect(none).toMatchObject({count: 0, names: [], nameCount: 0, gpuWorkNs: 0});
  });

  it('gives a name to every line that can open it', () => {
    const timings = lineTimings(trace, [[['layer_', '']], [['layer_1']], [['layer_0'], ['layer_1']]]);
    expect(timings.map(({gpuWorkNs}) => gpuWorkNs)).toEqual([15_000, 12_000, 15_000]);
  });

  it('counts an operation once per line where its ranges nest, even if another line shares a name', () => {
    const nested = traceFromText(`
      range layer_0    ==========
      range layer_1     =======
      call                 A
      stream 7              AAAA
    `);
    const timings = lineTimings(nested, [[['layer_0']], [['layer_', '']]]);
    expect(timings.map(({gpuWorkNs, count}) => [gpuWorkNs, count])).toEqual([
      [4000, 1],
      [4000, 2],
    ]);
  });
});

describe('lineTimings(trace, lines) of a trace with steps', () => {
  const steps = traceFromText(`
    range warm      ==
    range step_1      =========
    range step_2               =========
    range layer        == ==   ======
    call            A  B  C     D     E
    stream 7         AA  BBBBCC  DDDD  EEEE
  `);

  it('sums over the steps: as the steps, each asked for by itself', () => {
    const [layer] = lineTimings(steps, [[['layer']]]);
    const rows = [1, 2].map(step => rangeRows(steps, 'name', {selection: {step}}).find(({name}) => name === 'layer'));
    const sum = (key: 'gpuWorkNs' | 'count' | 'cpuWallNs' | 'launches' | 'ops') =>
      rows.reduce((total, row) => total + (row?.[key] ?? 0), 0);
    expect(layer).toMatchObject({of: 'steps', steps: 2, gpuWorkNs: sum('gpuWorkNs'), count: sum('count')});
    expect(layer).toMatchObject({cpuWallNs: sum('cpuWallNs'), launches: sum('launches'), operations: sum('ops')});
    expect(layer).toMatchObject({gpuWorkNs: 10_000, count: 3, allGpuWorkNs: 14_000, allWallNs: 18_000});
  });

  it('knows how the work differs from step to step', () => {
    const [layer, first] = lineTimings(steps, [[['layer']], [['step_1']]]);
    // 6 µs and 4 µs; 6 µs and nothing.
    expect(layer?.stepDeviationNs).toBeCloseTo(2000 / Math.SQRT2, 6);
    expect(first?.stepDeviationNs).toBeCloseTo(6000 / Math.SQRT2, 6);
  });

  it('knows how the wall time differs where there is no GPU work', () => {
    const [layer] = lineTimings(
      traceFromText(`
range step_1      =========
range step_2               =========
range layer        == ==   ======
`),
      [[['layer']]],
    );
    // 4 µs and 6 µs.
    expect(layer?.stepDeviationNs).toBeCloseTo(2000 / Math.SQRT2, 6);
  });

  it('is of the profile where the ranges have no part in a step, or where that is asked for', () => {
    const [warm] = lineTimings(steps, [[['warm']]]);
    expect(warm).toMatchObject({of: 'profile', steps: 0, count: 1, allGpuWorkNs: 16_000});
    const [layer] = lineTimings(steps, [[['layer']]], 'profile');
    expect(layer).toMatchObject({of: 'profile', count: 3, gpuWorkNs: 10_000});
  });

  it('gives lines that open the same names the same figures', () => {
    const timings = lineTimings(steps, [[['step_', '']], [['step_1'], ['step_2']], [['step_', '']]]);
    expect(timings[1]).toEqual(timings[0]);
    expect(timings[2]).toEqual(timings[0]);
    expect(timings[0]).toMatchObject({nameCount: 2, count: 2, gpuWorkNs: 14_000});
  });
});

describe('rangePlace(trace, patterns)', () => {
  it('is the first instance with GPU work, up to the end of that work', () => {
    const place = rangePlace(trace, [['layer_', '']]);
    expect(place).toMatchObject({startNs: 1000, durationNs: 5000, gpuEndNs: 6000, names: ['layer_0', 'layer_1']});
    expect(rangePlace(trace, [['layer_1']])).toMatchObject({startNs: 7000, gpuEndNs: 21_000});
  });

  it('is null where no range fits', () => {
    expect(rangePlace(trace, [['never']])).toBeNull();
  });
});

it('sliceDetails(trace, slice) gives a slice, and null for a row that does not exist', () => {
  const place = rangePlace(trace, [['layer_1']]);
  expect(sliceDetails(trace, place?.slice ?? -1)).toMatchObject({
    name: 'layer_1',
    startNs: 7000,
    durationNs: 5000,
    lane: 1,
  });
  for (const row of [-1, 1e9, 0.5, NaN]) expect(sliceDetails(trace, row)).toBeNull();
});
