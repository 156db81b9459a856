import {describe, expect, it} from 'vitest';
import {lineTimings} from '../../../src/core/queries/line-timings.js';
import {rangePlace} from '../../../src/core/queries/range-places.js';
import {sliceDetails} from '../../../src/core/queries/slice-details.js';
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
    expect(layers).toMatchObject({count: 2, names: ['layer_0', 'layer_1'], cpuWallNs: 10_000, gpuWorkNs: 15_000});
    expect(step).toMatchObject({count: 1, gpuWorkNs: 15_000, allGpuWorkNs: 15_000});
    expect(none).toMatchObject({count: 0, names: [], gpuWorkNs: 0});
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
