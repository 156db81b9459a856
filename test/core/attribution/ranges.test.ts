import {describe, expect, it} from 'vitest';
import {rangeRows, type RangeGrouping, type RangeRow} from '../../../src/core/figures/range-rows.js';
import {taggedRangeKinds, type SliceKind} from '../../../src/core/trace/slices.js';
import {traceFromText} from '../../support/trace-from-text.js';

function rowOf(drawing: string, name: string, by: RangeGrouping = 'name', kinds?: SliceKind[]): RangeRow | undefined {
  const trace = traceFromText(drawing);
  return rangeRows(trace, by, {kinds: new Set([...taggedRangeKinds, ...(kinds ?? [])])}).find(row =>
    by === 'path' ? row.path === name : row.name === name,
  );
}

describe('rangeRows(trace, by)', () => {
  it('counts an operation once per name, however deep the name nests in itself', () => {
    const drawing = `
      range again     ==========
      range again      =====
      call             A    B
      stream 7          AAA  BB
    `;
    expect(rowOf(drawing, 'again')).toMatchObject({count: 2, gpuWorkNs: 5000, gpuSelfNs: 5000, ops: 2, launches: 2});
  });

  it('counts all operations of one call, and the call once', () => {
    const drawing = `
      range graph     ======
      call            A
      stream 7         AA
      stream 8         A AA
    `;
    expect(rowOf(drawing, 'graph')).toMatchObject({
      gpuWorkNs: 5000,
      gpuBusyNs: 4000,
      gpuSpanNs: 4000,
      ops: 3,
      launches: 1,
    });
  });

  it('adds up busy time per device', () => {
    const drawing = `
      range both      ======
      call            AB
      stream 0.7       AAA
      stream 1.7        BBB
    `;
    expect(rowOf(drawing, 'both')).toMatchObject({gpuWorkNs: 6000, gpuBusyNs: 6000, gpuSpanNs: 4000});
  });

  it('sums the spans of instances, and keeps those without GPU work in the count', () => {
    const drawing = `
      range step      ===  ===  ===
      call            A    B
      stream 7          AA   BBBB
    `;
    expect(rowOf(drawing, 'step')).toMatchObject({count: 3, cpuWallNs: 9000, gpuSpanNs: 6000, launches: 2});
  });

  it('does not let ranges of another thread take the work', () => {
    const drawing = `
      range main      ======
      bg: range other ======
      bg: call          A
      stream 7           AAA
    `;
    expect(rowOf(drawing, 'main')).toMatchObject({gpuWorkNs: 0});
    expect(rowOf(drawing, 'other')).toMatchObject({gpuWorkNs: 3000});
  });

  it('does not join correlation ids across processes', () => {
    const drawing = `
      range first     ====
      call             A
      process 2
      range second    ====
      call             A
      stream 1.7        AA
    `;
    expect(rowOf(drawing, 'first')).toMatchObject({gpuWorkNs: 0});
    expect(rowOf(drawing, 'second')).toMatchObject({gpuWorkNs: 2000});
  });

  it('gives work of operators to ranges, and to operators where they are asked for', () => {
    const drawing = `
      range step      ========
      op aten::mm       ====
      call               A
      stream 7            AA
    `;
    expect(rowOf(drawing, 'step')).toMatchObject({gpuWorkNs: 2000, gpuSelfNs: 2000});
    expect(rowOf(drawing, 'step', 'name', ['cpu_op'])).toMatchObject({gpuWorkNs: 2000, gpuSelfNs: 0});
    expect(rowOf(drawing, 'aten::mm', 'name', ['cpu_op'])).toMatchObject({gpuWorkNs: 2000, gpuSelfNs: 2000});
  });

  it('tells the same name on different paths apart, by path', () => {
    const drawing = `
      range a         =====
      range b               =====
      range x          ===   ===
      call             A     B
      stream 7          AA    B
    `;
    expect(rowOf(drawing, 'a/x', 'path')).toMatchObject({gpuWorkNs: 2000, count: 1});
    expect(rowOf(drawing, 'b/x', 'path')).toMatchObject({gpuWorkNs: 1000, count: 1});
    expect(rowOf(drawing, 'x')).toMatchObject({path: null, gpuWorkNs: 3000, count: 2});
  });

  it('puts operations without a call, and calls outside ranges, into their buckets', () => {
    const drawing = `
      range step      ===
      call            A    B
      stream 7         AA   BBB  ccccc
    `;
    const rows = rangeRows(traceFromText(drawing), 'name');
    expect(rows.map(({name, gpuSelfNs}) => [name, gpuSelfNs])).toEqual([
      ['step', 2000],
      ['(outside any range)', 3000],
      ['(no launch call)', 5000],
      ['(backward, unmatched)', 0],
    ]);
  });

  it('gives three empty buckets for a trace without anything', () => {
    expect(rangeRows(traceFromText('range nothing   '), 'name').map(({name, ops}) => [name, ops])).toEqual([
      ['(outside any range)', 0],
      ['(no launch call)', 0],
      ['(backward, unmatched)', 0],
    ]);
  });

  it('fold keeps the name of a layer that has no sibling: layer_* is for several layers alone', () => {
    const trace = traceFromText(`
      range layer_0   ====
      range block_0       ====
      range block_1           ====
      call            A   B   C
      stream 7         AA  B   CCC
    `);
    const rows = rangeRows(trace, 'name', {fold: {unfolded: [], layers: true}});
    expect(rows.filter(({count}) => count > 0).map(({name, gpuWorkNs}) => [name, gpuWorkNs])).toEqual([
      ['block_*', 4000],
      ['layer_0', 2000],
    ]);
  });
});
