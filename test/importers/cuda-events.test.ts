import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {rangeRows} from '../../src/core/figures/range-rows.js';
import {openTrace} from '../../src/importers/open-trace.js';

const fixture = join(root, 'test', 'fixtures', 'cuda-events');
/** The recorded ones of the steps that were printed. */
const recorded = [3, 4, 5];
/** Between two kernels that wait in a stream, the GPU rests for one or two microseconds, which events count. */
const mostBetweenKernelsNs = 2500;

describe('the GPU work of a range', () => {
  it.each([
    ['products', 0],
    ['elementwise', 1],
  ])('of %s is what CUDA events measured, without the time between kernels', async (name, column) => {
    const printed = JSON.parse(await readFile(join(fixture, 'printed.json'), 'utf8')) as number[][];
    const measuredNs = recorded.reduce((sum, step) => sum + 1e6 * (printed[step]?.[column] ?? NaN), 0);
    const trace = await openTrace(join(fixture, 'own_events.pt.trace.json.gz'));
    const row = rangeRows(trace, 'name').find(range => range.name === name);
    const between = measuredNs - (row?.gpuWorkNs ?? NaN);
    expect(between).toBeGreaterThan(0);
    expect(between).toBeLessThan(mostBetweenKernelsNs * (row?.ops ?? NaN));
  });

  it('has all work of the recorded steps, and none of the step before', async () => {
    const trace = await openTrace(join(fixture, 'own_events.pt.trace.json.gz'));
    const rows = new Map(rangeRows(trace, 'name').map(row => [row.name, row]));
    expect(rows.get('(no launch call)')?.ops ?? 0).toBe(0);
    expect(rows.get('products')?.ops).toBe(15);
    expect(rows.get('elementwise')?.ops).toBe(30);
  });
});
