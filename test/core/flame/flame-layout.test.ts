import {describe, expect, it} from 'vitest';
import {callerSide, flameKinds, flameSchema, type FlameGraph} from '../../../src/core/flame/flame-graph.js';
import {flameLayout, nodeAt, visitRow, type FlameWindow} from '../../../src/core/flame/flame-layout.js';
import {flameGraph} from '../../../src/core/questions/flame.js';
import {TableBuilder} from '../../../src/core/table/table.js';
import {blockNamed, picture} from '../../support/flame-picture.js';
import {d3FlameLayout, flameObjects} from '../../support/d3-flame.js';
import {randomTrace} from '../../support/random-trace.js';
import {traceFromText} from '../../support/trace-from-text.js';

const trace = traceFromText(`
  range step      ==============
  range attention  ====
  range ffn             ======
  call             A    BC
  stream 7          AA    BBBBBCd
`);

/** A root with blocks of these widths below it. */
function flat(widths: readonly number[]): FlameGraph {
  const nodes = new TableBuilder(flameSchema);
  const row = (parent: number, total: number) => {
    const node = nodes.add();
    nodes.columns.parent[node] = parent;
    nodes.columns.total[node] = total;
    nodes.columns.kind[node] = parent < 0 ? 0 : flameKinds.indexOf('operation');
  };
  const total = widths.reduce((sum, width) => sum + width, 0);
  row(-1, total);
  for (const width of widths) row(0, width);
  return {weight: 'gpu-work', mode: 'time', nodes: nodes.finish(), names: ['block'], total, notes: []};
}

function visited(graph: FlameGraph, index: number, window: FlameWindow, widthPx: number): [number, number, number][] {
  const seen: [number, number, number][] = [];
  visitRow(flameLayout(graph), index, window, widthPx, (node, leftPx, blockPx) => seen.push([node, leftPx, blockPx]));
  return seen;
}

describe('flameLayout(flameGraph(trace, query))', () => {
  it('is as wide as the GPU work, the widest first, and closes with the buckets', () => {
    expect(picture(trace, {weight: 'gpu-work'})).toEqual([
      'GPU work 0.00–1.00',
      '  step 0.00–0.89',
      '  (no launch call) 0.89–1.00',
      '    ffn 0.00–0.67',
      '    attention 0.67–0.89',
      '    kernel_d 0.89–1.00',
      '      kernel_B 0.00–0.56',
      '      kernel_C 0.56–0.67',
      '      kernel_A 0.67–0.89',
    ]);
  });

  it('is as wide as the CPU wall time of the outermost ranges', () => {
    expect(picture(trace, {weight: 'cpu', levels: ['ranges']})).toEqual([
      'CPU wall time of tagged ranges 0.00–1.00',
      '  step 0.00–1.00',
      '    ffn 0.00–0.43',
      '    attention 0.43–0.71',
    ]);
  });

  it.each([0, 1, 2, 3, 4])('is what the partition of d3-hierarchy is for trace %d', seed => {
    const graph = flameGraph(randomTrace(seed), {weight: 'gpu-work'});
    const {x0, x1, row} = flameLayout(graph);
    const seen: number[] = [];
    d3FlameLayout(flameObjects(graph)).each(({data: {node}, depth, ...place}) => {
      if (!(place.x1 > place.x0)) return;
      seen.push(node);
      expect([row[node], x0[node], x1[node]]).toEqual([
        depth,
        expect.closeTo(place.x0, 9),
        expect.closeTo(place.x1, 9),
      ]);
    });
    expect(seen.length).toBe(Array.from(graph.nodes.total).filter(total => total > 0).length);
    expect(seen.length).toBeGreaterThan(20);
  });

  it('has no blocks where there is no time', () => {
    expect(picture(traceFromText('range nothing   '), {weight: 'gpu-work'})).toEqual([]);
  });

  it('keeps the order of time where that is asked for', () => {
    const {x0} = flameLayout(flat([1, 5, 2]));
    expect(Array.from(x0)).toEqual([0, 0, 0.125, 0.75]);
  });

  it('puts callers above the root, with rows from the topmost one on', () => {
    const graph = flameGraph(trace, {weight: 'gpu-work', mode: 'sandwich', focus: 'ffn'});
    const layout = flameLayout(graph);
    const step = blockNamed(graph, 'step');
    expect(graph.nodes.side[step]).toBe(callerSide);
    expect([layout.firstRow, layout.row[step], layout.x0[step], layout.x1[step]]).toEqual([-1, -1, 0, 1]);
  });
});

describe('visitRow(layout, index, window, width, visit)', () => {
  it('gives the blocks in the window, cut at its edges', () => {
    expect(visited(flat([25, 50, 25]), 1, {x0: 0.5, x1: 1}, 100)).toEqual([
      [2, 0, 50],
      [3, 50, 50],
    ]);
  });

  it('gives one dash for neighbours that are narrower than a pixel', () => {
    const graph = flat([50, ...Array.from({length: 1000}, () => 0.02), 30]);
    const seen = visited(graph, 1, {x0: 0, x1: 1}, 100);
    expect(seen.map(([node]) => node)).toEqual([1, -1, 1002]);
    expect(seen[1]?.[1]).toBeCloseTo(50);
    expect(seen[1]?.[2]).toBeCloseTo(20);
  });

  it('shows the same blocks one by one once it is zoomed to them', () => {
    const graph = flat([50, ...Array.from({length: 1000}, () => 0.02), 30]);
    const seen = visited(graph, 1, {x0: 0.5, x1: 0.502}, 100);
    expect(seen.map(([node]) => node).slice(0, 3)).toEqual([2, 3, 4]);
  });

  it('costs by its pixels: a row of 200,000 blocks is a few calls', () => {
    const graph = flat(Array.from({length: 200_000}, (_, at) => 1 + (at % 7)));
    expect(visited(graph, 1, {x0: 0, x1: 1}, 1500).length).toBeLessThan(1501);
  });
});

it('nodeAt(layout, index, x) is the block there, -1 beside all', () => {
  const layout = flameLayout(flat([1, 1, 2]));
  expect([0, 0.3, 0.9].map(x => nodeAt(layout, 1, x))).toEqual([1, 2, 3]);
  expect([nodeAt(layout, 1, 1), nodeAt(layout, 2, 0.5), nodeAt(layout, -1, 0.5)]).toEqual([-1, -1, -1]);
});
