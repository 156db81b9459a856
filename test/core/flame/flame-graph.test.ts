import {describe, expect, it} from 'vitest';
import {flameGraph} from '../../../src/core/questions/flame.js';
import {flameModes, flameWeights, type FlameGraph, type FlameQuery} from '../../../src/core/flame/flame-graph.js';
import {searchFlame} from '../../../src/core/flame/flame-search.js';
import {flameLines, formatBytes, matchesText} from '../../../src/core/flame/flame-text.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import {gpuSummary} from '../../../src/core/questions/info.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {blockNamed, picture} from '../../support/flame-picture.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles} from '../../support/real-data.js';
import {randomTrace} from '../../support/random-trace.js';
import {traceFromText} from '../../support/trace-from-text.js';

const layers = traceFromText(`
  range step      ====================
  range layer_0    ======
  range layer_1          ========
  op aten::linear  =====
  op aten::addmm    ===  ===
  call              A     BC
  stream 7            AAA   BBBB
  stream 8                   CC     d
`);

const self = (graph: FlameGraph, name: string) => graph.nodes.self[blockNamed(graph, name)];
const total = (graph: FlameGraph, name: string) => graph.nodes.total[blockNamed(graph, name)];

describe('flameGraph(trace, query)', () => {
  it('stands operators between the range and the operation', () => {
    expect(picture(layers, {weight: 'gpu-work'}).map(line => line.replace(/ [\d.]+–[\d.]+$/, ''))).toEqual([
      'GPU work',
      '  step',
      '  (no launch call)',
      '    layer_1',
      '    layer_0',
      '    kernel_d',
      '      aten::addmm',
      '      aten::linear',
      '        kernel_B',
      '        kernel_C',
      '        aten::addmm',
      '          kernel_A',
    ]);
  });

  it.each([
    [['ranges'], ['step', 'layer_1', 'layer_0', '(no launch call)']],
    [['operators'], ['aten::addmm', 'aten::linear', '(no launch call)']],
    [['operations'], ['kernel_A', 'kernel_B', 'kernel_C', 'kernel_d', '(no launch call)']],
  ] as const)('shows the levels %j alone', (levels, names) => {
    const graph = flameGraph(layers, {weight: 'gpu-work', levels});
    const shown = new Set(Array.from(graph.nodes.name, name => graph.names[name]));
    expect([...shown].slice(1).sort()).toEqual([...names].sort());
    expect(graph.total).toBe(10_000);
  });

  it('counts each moment once by GPU busy, and shows the time in between as idle', () => {
    const graph = flameGraph(layers, {weight: 'gpu-busy'});
    // AAA, a gap, BBBB with CC inside, a gap, d.
    expect(total(graph, '(idle)')).toBe(7000);
    expect(self(graph, 'kernel_C')).toBe(0);
    expect(graph.total).toBe(15_000);
    expect(graph.nodes.busyNs[0]).toBe(8000);
  });

  it('shows as idle between the operations of a step only when nothing ran, of whatever step', () => {
    const steps = traceFromText(`
      range step_1     =====
      range step_2          =======
      call             A B  C DE
      stream 7          AA     C
      stream 8             BB      DD E
    `);
    const idleOf = (step: number) => {
      const graph = flameGraph(steps, {weight: 'gpu-busy', selection: {step}});
      return [graph.names[0], graph.total, total(graph, '(idle)')];
    };
    const at = (step: number) => ['GPU busy and idle · step ' + String(step)];
    expect(idleOf(1)).toEqual([...at(1), 5000, 1000]);
    // C, then nothing for 3, DD, nothing for 1, E.
    expect(idleOf(2)).toEqual([...at(2), 8000, 4000]);
    const overlapping = traceFromText(`
      range step_1     ===
      range step_2        ====
      call             AB C
      stream 7          A    B
      stream 8             C
    `);
    const graph = flameGraph(overlapping, {weight: 'gpu-busy', selection: {step: 1}});
    // A, nothing for 2, C of the other step, nothing for 1, B.
    expect([graph.total, total(graph, '(idle)')]).toEqual([5000, 3000]);
  });

  it('counts launching calls once, and work without one not at all', () => {
    const graph = flameGraph(layers, {weight: 'launches'});
    expect([graph.total, total(graph, 'layer_1'), total(graph, '(no launch call)')]).toEqual([3, 2, 0]);
  });

  it('has what a selection holds, and says so at the root', () => {
    const graph = flameGraph(layers, {weight: 'gpu-work', selection: {fromNs: 3000, toNs: 13_000}});
    expect(graph.total).toBe(8000);
    expect(graph.names[0]).toBe('GPU work · 3.00 µs to 13.0 µs');
  });

  it('has each run of a range in the order of time', () => {
    const runs = traceFromText(`
      range a         ==  ==
      range b           ==
      call            A B C
      stream 7         A B C
    `);
    expect(picture(runs, {weight: 'gpu-work', mode: 'time', levels: ['ranges']})).toEqual([
      'GPU work 0.00–1.00',
      '  a 0.00–0.33',
      '  b 0.33–0.67',
      '  a 0.67–1.00',
    ]);
  });

  it('has paths from the inside out where it is inverted', () => {
    const names = picture(layers, {weight: 'gpu-work', mode: 'inverted', levels: ['ranges', 'operations']});
    expect(names.slice(0, 4)).toEqual([
      'GPU work 0.00–1.00',
      '  kernel_B 0.00–0.40',
      '  kernel_A 0.40–0.70',
      '  kernel_C 0.70–0.90',
    ]);
    expect(names).toContain('      step 0.00–0.40');
  });

  it('has the callers and the callees of a name in a sandwich, nested ones once', () => {
    const graph = flameGraph(layers, {weight: 'gpu-work', mode: 'sandwich', focus: 'aten::addmm'});
    expect(graph.total).toBe(9000);
    const names = ['layer_0', 'layer_1', 'aten::linear', 'kernel_A', 'kernel_B'];
    expect(names.map(name => total(graph, name))).toEqual([3000, 6000, 3000, 3000, 4000]);
    expect(() => flameGraph(layers, {weight: 'gpu-work', mode: 'sandwich', focus: 'nothing'})).toThrow(
      'No block of this flame graph is called "nothing".',
    );
  });

  it('shows the name with the most of its own in a sandwich where none is asked for', () => {
    expect(flameGraph(layers, {weight: 'gpu-work', mode: 'sandwich'}).names[0]).toBe('kernel_B · GPU work');
  });

  it('has an empty sandwich where nothing has the weight', () => {
    const graph = flameGraph(traceFromText('range step      ===='), {weight: 'bytes', mode: 'sandwich'});
    expect([graph.names[0], graph.total]).toEqual(['Bytes copied and set', 0]);
  });

  it('puts layers that differ by a number into one block, with their spread', () => {
    const graph = flameGraph(layers, {weight: 'gpu-work', isFolded: true, levels: ['ranges']});
    const node = blockNamed(graph, 'layer_*');
    const {members, least, most, instances} = graph.nodes;
    expect([members[node], least[node], most[node], instances[node], total(graph, 'layer_*')]).toEqual([
      2, 3000, 6000, 2, 9000,
    ]);
    expect(flameLines(graph, node)).toContain('2 folded into one: 3.00 µs to 6.00 µs, mean 4.50 µs');
  });

  it('says work, self, busy, span, count and average of a block', () => {
    const graph = flameGraph(layers, {weight: 'gpu-work', levels: ['ranges']});
    expect(flameLines(graph, blockNamed(graph, 'layer_1'))).toEqual([
      'GPU work 6.00 µs · 60.0 % of all · self 6.00 µs',
      '1 instance · 6.00 µs on average',
      'busy 4.00 µs · span 4.00 µs',
      '2 GPU operations · work 3.00 µs on average',
    ]);
  });
});

describe('searchFlame(graph, text)', () => {
  it('sums what it finds, once where it is nested', () => {
    const graph = flameGraph(layers, {weight: 'gpu-work'});
    const found = searchFlame(graph, 'ADDMM');
    expect([found.count, found.total]).toEqual([2, 9000]);
    expect(searchFlame(graph, 'aten').total).toBe(9000);
    expect(matchesText(graph, 'aten', searchFlame(graph, 'aten'))).toBe(
      'aten: 9.00 µs, 90.0 %, 3 blocks, counted once where nested',
    );
    expect(searchFlame(graph, '').count).toBe(0);
  });
});

it('searchFlame(graph, text) sums callers where no callee fits', () => {
  const graph = flameGraph(layers, {weight: 'gpu-work', mode: 'sandwich', focus: 'aten::addmm'});
  expect(searchFlame(graph, 'step')).toMatchObject({count: 2, total: 9000});
  expect(searchFlame(graph, 'layer')).toMatchObject({count: 2, total: 9000});
  expect(searchFlame(graph, 'kernel_A')).toMatchObject({count: 1, total: 3000});
});

describe('the name of the root', () => {
  const selection = {device: 0, stream: 7};
  const rootOf = (query: FlameQuery) => flameGraph(layers, query).names[0];

  it('leaves out what does not narrow the weight', () => {
    expect(rootOf({weight: 'gpu-work', selection})).toBe('GPU work · GPU 0 · stream 7');
    expect(rootOf({weight: 'cpu', levels: ['ranges'], selection})).toBe('CPU wall time of tagged ranges');
    expect(rootOf({weight: 'memory', selection})).toBe('Memory allocated · GPU 0');
  });

  it('says in a sandwich whose callers and callees these are, and what 100 % is', () => {
    expect(rootOf({weight: 'launches', mode: 'sandwich', focus: 'aten::addmm', selection: {device: 0}})).toBe(
      'aten::addmm · Launches · GPU 0',
    );
  });
});

describe('flameGraph(trace, query) adds up', () => {
  it.each(Array.from({length: 20}, (_, seed) => seed))('to the rows of ranges by path, of random trace %d', seed => {
    const trace = randomTrace(seed);
    const rows = rangeRows(trace, 'path');
    const graph = flameGraph(trace, {weight: 'gpu-work'});
    expect(graph.total).toBe(gpuSummary(trace).workNs);
    const launches = flameGraph(trace, {weight: 'launches'});
    expect(launches.total).toBeLessThanOrEqual(trace.apiCalls.length);
    const closing = rows.reduce((sum, row) => sum + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
    expect(graph.total).toBe(closing);
    const busy = flameGraph(trace, {weight: 'gpu-busy'});
    const {busyNs, spanNs} = gpuSummary(trace);
    expect([busy.nodes.busyNs[0], busy.total]).toEqual([busyNs, spanNs]);
    for (const mode of flameModes.filter(name => name !== 'sandwich')) {
      expect(flameGraph(trace, {weight: 'gpu-work', mode}).total).toBe(graph.total);
    }
    expect(flameGraph(trace, {weight: 'gpu-work', isFolded: true}).total).toBe(graph.total);
  });

  itEachFile([...dataFiles('kineto', '.json.gz'), ...dataFiles('nsys', '.sqlite')].slice(0, 12))(
    'in every weight and mode: $name',
    async ({path}) => {
      const trace = await openTrace(path);
      for (const weight of flameWeights) {
        const expected = flameGraph(trace, {weight}).total;
        for (const mode of ['time', 'inverted'] as const) {
          expect(flameGraph(trace, {weight, mode}).total).toBeCloseTo(expected, 0);
        }
        expect(flameGraph(trace, {weight, isFolded: true, mode: 'inverted'}).total).toBeCloseTo(expected, 0);
      }
      const passes = (['forward', 'backward'] as const).map(
        pass => flameGraph(trace, {weight: 'gpu-work', pass}).total,
      );
      const work = flameGraph(trace, {weight: 'gpu-work'});
      const unlaunched = Array.from(work.nodes.name).findIndex(name => work.names[name] === '(no launch call)');
      const rest = unlaunched < 0 ? 0 : (work.nodes.total[unlaunched] ?? 0);
      expect((passes[0] ?? 0) + (passes[1] ?? 0) + rest).toBe(work.total);
    },
  );
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1500, '1.50 kB'],
  [12_345_678, '12.3 MB'],
])('formatBytes(%d) is %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
