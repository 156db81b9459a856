import {describe, expect, it} from 'vitest';
import {drawFlame, rowHeightPx, type FlameView} from '../../src/core/flame/draw-flame.js';
import {flameName, type FlameQuery} from '../../src/core/flame/flame-graph.js';
import {paperTheme} from '../../src/core/flame/flame-svg.js';
import {searchFlame} from '../../src/core/flame/flame-search.js';
import {flameLayout} from '../../src/core/flame/flame-layout.js';
import {flameGraph} from '../../src/core/questions/flame.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {rangeFilterAround} from '../../webview/flame/block-menu.js';
import {neighbour, zoomToHold} from '../../webview/flame/neighbour.js';
import {savedText} from '../../webview/flame/save-picture.js';
import {
  queryOfRange,
  queryOfSelection,
  queryWithSelection,
  storedPicture,
  storedQuery,
} from '../../webview/flame/stored-query.js';
import {blockColors} from '../../webview/timeline/block-colors.js';
import {blockNamed} from '../support/flame-picture.js';
import {temporaryFolder} from '../support/project.js';
import {randomTrace} from '../support/random-trace.js';
import {recordingContext} from '../support/recording-context.js';
import {traceFromText} from '../support/trace-from-text.js';
import {writeTwoKernels} from '../support/two-kernels.js';

const trace = traceFromText(`
  range outer     ====================
  range inner       ====
  range <img/src=x>       ===
  call              A     B
  stream 7           AAA    BB  c
`);

function viewOf(from = trace, query: FlameQuery = {weight: 'gpu-work'}, change: Partial<FlameView> = {}): FlameView {
  const graph = flameGraph(from, query);
  const marks = {hovered: -1, focused: 0, isMatch: null};
  const layout = flameLayout(graph);
  return {graph, layout, window: {x0: 0, x1: 1}, widthPx: 300, heightPx: 200, scrollPx: 0, ...marks, ...change};
}

function drawn(view: FlameView, theme = paperTheme) {
  const {context, calls} = recordingContext();
  drawFlame(context, view, theme);
  return calls;
}

describe('drawFlame(pen, view, theme)', () => {
  it.each(Array.from({length: 10}, (_, seed) => seed))('paints blocks inside the picture, of random trace %d', seed => {
    for (const {args} of drawn(viewOf(randomTrace(seed))).filter(({method}) => method === 'fillRect')) {
      const [left, , width] = args as [number, number, number];
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left + width).toBeLessThanOrEqual(300.5);
    }
  });

  it('keeps each text inside the block that was painted before it', () => {
    let block = {left: 0, right: 0, top: 0};
    for (const {method, args} of drawn(viewOf())) {
      const [first, second, third] = args as [number | string, number, number];
      if (method === 'fillRect') block = {left: Number(first), right: Number(first) + third, top: second};
      if (method !== 'fillText') continue;
      expect(second).toBeGreaterThanOrEqual(block.left);
      expect(second + String(first).length * 6).toBeLessThanOrEqual(block.right);
      expect(Math.abs(third - block.top)).toBeLessThan(rowHeightPx);
    }
  });

  it('gives ranges, operators and kernels the colours that they have in the timeline', async () => {
    const view = viewOf(await openTrace(writeTwoKernels(temporaryFolder())), undefined, {widthPx: 3000});
    const calls = drawn(view);
    const fills = calls.flatMap(({method, args}, at) => {
      const block = calls.slice(0, at).findLast(call => call.method === 'fillRect');
      return method === 'fillText' ? [[args[0], block?.fillStyle]] : [];
    });
    const kinds = {layer_0: 'user_annotation', 'aten::mm': 'cpu_op', gemm: 'kernel'};
    for (const [name, kind] of Object.entries(kinds))
      expect(fills).toContainEqual([name, blockColors(kind, name, 'class', paperTheme).fill]);
  });

  it('paints the rows in sight alone', () => {
    const tops = drawn(viewOf(trace, {weight: 'gpu-work'}, {scrollPx: rowHeightPx, heightPx: rowHeightPx}))
      .filter(({method}) => method === 'fillRect')
      .map(({args}) => args[1]);
    expect(new Set(tops)).toEqual(new Set([0]));
  });

  it('dims what a search has not found', () => {
    const view = viewOf();
    const {isMatch} = searchFlame(view.graph, 'inner');
    const alphas = drawn({...view, isMatch}).filter(({method}) => method === 'fillRect');
    expect(new Set(alphas.map(({alpha}) => alpha))).toEqual(new Set([1, 0.3]));
  });

  it('paints names from a file as text', () => {
    const texts = drawn(viewOf(trace, {weight: 'cpu'}, {widthPx: 2000})).filter(({method}) => method === 'fillText');
    expect(texts.map(({args}) => args[0])).toContain('<img/src=x>');
  });
});

describe('neighbour(graph, layout, node, direction)', () => {
  const {graph, layout} = viewOf();
  const to = (name: string, direction: 'up' | 'down' | 'left' | 'right') =>
    flameName(graph, neighbour(graph, layout, blockNamed(graph, name), direction));

  it('moves along the tree, and stays where there is nothing', () => {
    expect([to('GPU work', 'down'), to('outer', 'down'), to('outer', 'up')]).toEqual(['outer', 'inner', 'GPU work']);
    expect([to('outer', 'right'), to('outer', 'left'), to('GPU work', 'up')]).toEqual([
      '(no launch call)',
      'outer',
      'GPU work',
    ]);
  });

  it('moves up to the callers of a sandwich, and down from them', () => {
    const view = viewOf(trace, {weight: 'gpu-work', mode: 'sandwich', focus: 'inner'});
    const caller = neighbour(view.graph, view.layout, 0, 'up');
    expect(flameName(view.graph, caller)).toBe('outer');
    expect(neighbour(view.graph, view.layout, caller, 'down')).toBe(0);
  });
});

it('zoomToHold(graph, layout, zoomed, node) goes outwards until the block is in sight', () => {
  const {graph, layout} = viewOf();
  const hold = (zoomed: string, node: string) =>
    flameName(graph, zoomToHold(graph, layout, blockNamed(graph, zoomed), blockNamed(graph, node)));
  expect(hold('inner', 'outer')).toBe('inner');
  expect(hold('outer', 'inner')).toBe('outer');
  expect(hold('inner', '<img/src=x>')).toBe('outer');
  expect(hold('inner', '(no launch call)')).toBe('GPU work');
});

describe('rangeFilterAround(graph, node, query)', () => {
  const odd = traceFromText(`
    range block/1       ===
    range layer_0           ===
    range layer_1               ===
    call                A   B   C
    stream 7             A   B   C
  `);
  const filterOf = (name: string, query: FlameQuery) => {
    const graph = flameGraph(odd, query);
    return rangeFilterAround(graph, blockNamed(graph, name), query);
  };

  it('is what the range alone fits', () => {
    expect(filterOf('block/1', {weight: 'gpu-work'})).toBe('block\\/1');
    const selection = {range: 'block\\/1'};
    expect(flameGraph(odd, {weight: 'gpu-work', selection}).total).toBe(1000);
  });

  it('is none for what was folded', () => {
    expect(filterOf('layer_0', {weight: 'gpu-work'})).toBe('layer_0');
    expect(filterOf('layer_*', {weight: 'gpu-work', isFolded: true})).toBeNull();
    expect(filterOf('layer_*', {weight: 'gpu-work', isFolded: true, mode: 'inverted'})).toBeNull();
  });
});

it('queryOfRange(query, range, window) asks of a range nothing that was asked of another name or pass', () => {
  const query = {weight: 'launches', mode: 'sandwich', focus: 'gemm', pass: 'backward', isFolded: true} as const;
  expect(queryOfRange({...query, selection: {step: 3}}, 'attention', {fromNs: 1, toNs: 2})).toEqual({
    weight: 'launches',
    mode: 'merged',
    isFolded: true,
    selection: {range: 'attention', fromNs: 1, toNs: 2},
  });
});

it('queryOfSelection(query, selection, focus) asks for a name where it can be, and for a step as before', () => {
  const query = {weight: 'cpu', mode: 'inverted', levels: ['ranges'], isFolded: true} as const;
  const selection = {step: 3};
  expect(queryOfSelection(query, {selection, stack: {}, focus: 'gemm'})).toEqual({
    weight: 'gpu-work',
    mode: 'sandwich',
    focus: 'gemm',
    selection,
  });
  expect(queryOfSelection(query, {selection, stack: {}, focus: null})).toEqual({...query, selection});
});

it('queryWithSelection(query, selection) keeps what a range is one of as long as the range', () => {
  const query = queryOfSelection(
    {weight: 'launches'},
    {selection: {range: 'aten::mm'}, stack: {kinds: ['cpu_op']}, focus: null},
  );
  expect(query.stack).toEqual({kinds: ['cpu_op']});
  expect(queryWithSelection(query, {range: 'aten::mm', step: 2})).toEqual({
    ...query,
    selection: {range: 'aten::mm', step: 2},
  });
  expect(queryWithSelection(query, {range: 'forward'}).stack).toBeUndefined();
});

it('savedText(view, format, ratio) says what a PNG has not', () => {
  const view = viewOf();
  const rows = Array.from({length: 1000}, () => view.layout.rows)
    .flat()
    .slice(0, 1000);
  const high = {...view, layout: {...view.layout, rows}};
  expect(savedText(high, 'PNG', 1)).toBe('Saved as PNG. It has the first 819 of 1,000 rows: SVG has all.');
  expect(savedText(high, 'PNG', 2)).toBe('Saved as PNG. It has the first 409 of 1,000 rows: SVG has all.');
  expect([savedText(view, 'PNG', 2), savedText(high, 'SVG', 1)]).toEqual(['Saved as PNG.', 'Saved as SVG.']);
});

describe('storedPicture(stored)', () => {
  it('is the picture of the profile, with its selection, its focus and its block', () => {
    const query = {weight: 'gpu-work', mode: 'sandwich', pass: 'all', focus: 'gemm', selection: {step: 1}} as const;
    expect(storedPicture({query, path: ['GPU work', 'gemm']})).toEqual({query, path: ['GPU work', 'gemm']});
    const ofRange = {
      weight: 'cpu',
      mode: 'time',
      pass: 'all',
      selection: {range: 'a'},
      stack: {kinds: ['cpu_op']},
    } as const;
    expect(storedPicture({query: ofRange, path: []})).toEqual({query: ofRange, path: []});
  });

  it('leaves out what makes no sense', () => {
    expect(storedPicture({})).toBeNull();
    expect(storedPicture({query: {weight: 'heat'}, path: []})).toBeNull();
    const odd = {weight: 'cpu', mode: 'x', focus: 7, selection: {device: 'x'}, stack: 3};
    expect(storedPicture({query: odd, path: [1, 'a']})).toEqual({
      query: {weight: 'cpu', mode: 'merged', pass: 'all', selection: {}},
      path: ['a'],
    });
  });
});

describe('storedQuery(stored)', () => {
  it.each([null, 7, {}, {weight: 'none'}])('is null for %j', stored => {
    expect(storedQuery(stored)).toBeNull();
  });

  it('takes what makes sense', () => {
    expect(storedQuery({weight: 'cpu', mode: 'x', levels: ['ranges', 'y'], isFolded: 1})).toEqual({
      weight: 'cpu',
      mode: 'merged',
      pass: 'all',
      levels: ['ranges'],
    });
  });
});
