import {describe, expect, it} from 'vitest';
import {attributionOf} from '../../../src/core/scope/attribution-of.js';
import {rangeRows, type RangeRow} from '../../../src/core/figures/range-rows.js';
import {gpuSummary} from '../../../src/core/questions/info.js';
import {parseRangeFilter} from '../../../src/core/scope/range-filter.js';
import {selectOperations, selectSlices, type Selection} from '../../../src/core/scope/selection.js';
import {stepsOf} from '../../../src/core/scope/steps.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {randomTrace} from '../../support/random-trace.js';
import {traceFromText} from '../../support/trace-from-text.js';

const trace = traceFromText(`
  range step_3    ==========
  range layer      ==== ===
  range step_4              ==========
  range layer                     ====
  call             A    B         C
  bg: call                E
  stream 0.7        AAA
  stream 0.8            BBBBBBBB
  stream 1.7                       CC
  memcpy 1.9                  EE    d
`);

/** Names of the operations that a selection holds, in order of start. */
function operations(of: Trace, selection: Selection): string[] {
  const selected = selectOperations(of, attributionOf(of), selection);
  const names = Array.from(of.gpuOperations.slice, row => of.strings.get(of.slices.name[row] ?? 0).slice(-1));
  return names.filter((_, operation) => selected === null || selected[operation] === 1);
}

function workNs(rows: readonly RangeRow[]): number {
  return rows.reduce((sum, row) => sum + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
}

describe('selectOperations(trace, attribution, selection)', () => {
  it('is null for an empty selection: all', () => {
    expect(selectOperations(trace, attributionOf(trace), {})).toBeNull();
  });

  it('takes devices and streams', () => {
    expect(operations(trace, {device: 0})).toEqual(['A', 'B']);
    expect(operations(trace, {stream: 7})).toEqual(['A', 'C']);
    expect(operations(trace, {device: 1, stream: 7})).toEqual(['C']);
    expect(operations(trace, {device: 5})).toEqual([]);
  });

  it('takes what runs in a window for a time', () => {
    expect(operations(trace, {fromNs: 2000, toNs: 8000})).toEqual(['A', 'B']);
    expect(operations(trace, {fromNs: 5000, toNs: 6000})).toEqual([]);
  });

  it('takes what ranges launched, one of them by its index, those of a domain', () => {
    expect(operations(trace, {range: 'layer'})).toEqual(['A', 'B', 'C']);
    expect(operations(trace, {range: 'layer/1'})).toEqual(['B']);
    expect(operations(trace, {range: 'layer@/2'})).toEqual(['C']);
    expect(operations(trace, {range: 'step_4'})).toEqual(['C']);
  });

  it('takes what any thread of the process launched during a step', () => {
    expect(operations(trace, {step: 3})).toEqual(['A', 'B', 'E']);
    expect(operations(trace, {step: 4})).toEqual(['C', 'd']);
  });

  it.each([{range: 'never'}, {range: 'layer/9'}, {range: 'layer@Other'}, {step: 99}])(
    'says so where nothing fits %j',
    selection => {
      expect(() => operations(trace, selection)).toThrow(expect.objectContaining({code: 'selection/no-match'}));
    },
  );
});

describe('selectSlices(trace, attribution, selection)', () => {
  const calls = (selection: Selection) => {
    const isSelected = selectSlices(trace, attributionOf(trace), selection);
    return Array.from(trace.apiCalls.slice).filter(row => isSelected?.(row) ?? true).length;
  };

  it('takes slices of the range’s thread, of the step’s process, and of the window', () => {
    expect(calls({})).toBe(4);
    expect(calls({range: 'layer'})).toBe(3);
    expect(calls({range: 'layer/0'})).toBe(1);
    expect(calls({step: 3})).toBe(3);
    expect(calls({fromNs: 1000, toNs: 1001})).toBe(1);
    expect(calls({device: 1})).toBe(4);
  });
});

describe('rangeRows(trace, by, {selection})', () => {
  it('counts of each operation the part inside the window, and leaves out rows without a part in it', () => {
    const rows = rangeRows(trace, 'name', {selection: {fromNs: 2000, toNs: 8000}});
    expect(rows.map(({name}) => name)).toEqual([
      'step_3',
      'layer',
      '(outside any range)',
      '(no launch call)',
      '(backward, unmatched)',
    ]);
    expect(rows[1]).toMatchObject({count: 2, gpuWorkNs: 5000, gpuBusyNs: 5000, cpuWallNs: 5000, ops: 2});
  });

  it('of a range is the row’s own figures', () => {
    const [row] = rangeRows(trace, 'name').filter(({name}) => name === 'layer');
    const [selected] = rangeRows(trace, 'name', {selection: {range: 'layer'}}).filter(({name}) => name === 'layer');
    expect(selected).toEqual(row);
  });
});

describe('selections of random traces', () => {
  const seeds = Array.from({length: 20}, (_, seed) => seed);

  it.each(seeds)('by windows that follow each other, by devices and by streams add up to all work (seed %i)', seed => {
    const random = randomTrace(seed);
    const allNs = gpuSummary(random).workNs;
    const sum = (selections: readonly Selection[]) =>
      selections.reduce((total, selection) => total + workNs(rangeRows(random, 'path', {selection})), 0);
    const cuts = [0, 100, 333, 700, random.spanNs + 1];
    expect(sum(cuts.slice(1).map((toNs, at) => ({fromNs: cuts[at] ?? 0, toNs})))).toBe(allNs);
    expect(sum([{device: 0}, {device: 1}])).toBe(allNs);
    expect(sum([{stream: 0}, {stream: 1}, {stream: 2}])).toBe(allNs);
  });

  it.each(seeds)('by a range are the work of its row, forward and backward (seed %i)', seed => {
    const random = randomTrace(seed);
    for (const row of rangeRows(random, 'name').filter(({count}) => count > 0)) {
      const selected = rangeRows(random, 'name', {selection: {range: row.name}});
      expect(workNs(selected)).toBe(row.gpuWorkNs + row.backwardGpuWorkNs);
    }
  });
});

it.each([
  ['layer', {name: 'layer', domain: null, index: null}],
  ['layer@NCCL', {name: 'layer', domain: 'NCCL', index: null}],
  ['layer@NCCL/12', {name: 'layer', domain: 'NCCL', index: 12}],
  ['layer/0', {name: 'layer', domain: null, index: 0}],
  ['a/b', {name: 'a/b', domain: null, index: null}],
  ['a\\/0', {name: 'a/0', domain: null, index: null}],
  ['a\\@b', {name: 'a@b', domain: null, index: null}],
  ['@property', {name: '@property', domain: null, index: null}],
  ['', {name: '', domain: null, index: null}],
])('parseRangeFilter(%s)', (text, filter) => {
  expect(parseRangeFilter(text)).toEqual(filter);
});

describe('stepsOf(trace)', () => {
  const numbers = (drawing: string) => stepsOf(traceFromText(drawing)).map(({number}) => number);

  it('takes ranges with a numbered name, else counts those that are called step', () => {
    expect(numbers('range Step#7    ===\nrange iter_12      ==\nrange step      == == ==')).toEqual([7, 12]);
    expect(numbers('range step      == == ==')).toEqual([0, 1, 2]);
    expect(numbers('range layer_3   ===')).toEqual([]);
    // Each process counts its own.
    expect(numbers('range step      == ==\nprocess P\nrange step       == ==')).toEqual([0, 0, 1, 1]);
  });
});
