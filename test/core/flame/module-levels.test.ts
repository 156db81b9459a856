import {describe, expect, it} from 'vitest';
import {flameGraph} from '../../../src/core/questions/flame.js';
import {flameName, flamePath, type FlameGraph, type FlameQuery} from '../../../src/core/flame/flame-graph.js';
import {flameLines} from '../../../src/core/flame/flame-text.js';
import {firstOfFolded, isFoldedModule, starredModule} from '../../../src/core/figures/module-labels.js';
import {modulesShown} from '../../../src/core/figures/modules-shown.js';
import {kineto, type KinetoEvent} from '../../support/kineto-events.js';
import {blockNamed} from '../../support/flame-picture.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

/** Three layers of a net, each with a product, and a head; the runner names their places. */
const network: readonly KinetoEvent[] = [
  kineto.range('ProfilerStep#1', 0, 500),
  kineto.op('nn.Module: Net', 5, 490),
  ...[0, 1, 2].flatMap(layer => layerAt(layer, 10 + 100 * layer, 10 * (layer + 1))),
  kineto.op('nn.Module: Net.head', 400, 20),
  kineto.op('aten::mm', 402, 10),
  kineto.call(9, 404, 2),
  kineto.kernel(9, 2000, 40),
];

function layerAt(layer: number, ts: number, us: number): KinetoEvent[] {
  return [
    kineto.op(`nn.Module: Net.layers.${String(layer)}`, ts, 50),
    kineto.op(`nn.Module: Net.layers.${String(layer)}.mlp`, ts + 5, 30),
    kineto.op('aten::mm', ts + 10, 20),
    kineto.call(layer + 1, ts + 12, 2),
    kineto.kernel(layer + 1, 1000 + 100 * layer, us),
  ];
}

/** The path of each block, and its total in µs. */
function blocks(graph: FlameGraph): [string, number][] {
  return Array.from(graph.nodes.total, (total, node): [string, number] => [
    flamePath(graph, node).join(' > ').replaceAll('nn.Module: ', ''),
    total / 1000,
  ]).filter(([path]) => path !== 'GPU work');
}

const work = (query: Partial<FlameQuery> = {}): FlameQuery => ({weight: 'gpu-work', ...query});

describe('modules in the flame graph', () => {
  it('stand between the step and operators where no person’s range is, identical layers as one block', async () => {
    const trace = await traceOfEvents(network);
    const layers = 'ProfilerStep* > Net > Net.layers.0…2';
    expect(blocks(flameGraph(trace, work()))).toEqual([
      ['ProfilerStep*', 100],
      ['ProfilerStep* > Net', 100],
      [layers, 60],
      [`${layers} > Net.layers.0…2.mlp`, 60],
      [`${layers} > Net.layers.0…2.mlp > aten::mm`, 60],
      [`${layers} > Net.layers.0…2.mlp > aten::mm > gemm`, 60],
      ['ProfilerStep* > Net > Net.head', 40],
      ['ProfilerStep* > Net > Net.head > aten::mm', 40],
      ['ProfilerStep* > Net > Net.head > aten::mm > gemm', 40],
    ]);
  });

  it('tell how the layers of a block spread', async () => {
    const graph = flameGraph(await traceOfEvents(network), work());
    for (const name of ['nn.Module: Net.layers.0…2', 'nn.Module: Net.layers.0…2.mlp']) {
      const node = blockNamed(graph, name);
      const {members, least, most, instances} = graph.nodes;
      expect([members[node], least[node], most[node], instances[node]]).toEqual([3, 10_000, 30_000, 3]);
      expect(flameLines(graph, node)).toContain('3 folded into one: 10.0 µs to 30.0 µs, mean 20.0 µs');
    }
    expect(graph.nodes.members[blockNamed(graph, 'nn.Module: Net')]).toBe(0);
  });

  it('stand apart without folding, and in the order of time', async () => {
    const trace = await traceOfEvents(network);
    for (const query of [work({isFolded: false}), work({mode: 'time'})]) {
      const graph = flameGraph(trace, query);
      const names = Array.from(graph.nodes.parent, (_, node) => flameName(graph, node));
      const layers = names.filter(name => name.endsWith('.mlp'));
      expect(layers.sort()).toEqual([0, 1, 2].map(layer => `nn.Module: Net.layers.${String(layer)}.mlp`));
    }
  });

  it('are left out beside a person’s ranges, unless they are asked for', async () => {
    const trace = await traceOfEvents([...network, kineto.range('forward', 2, 496)]);
    const names = (query: FlameQuery) => blocks(flameGraph(trace, query)).map(([path]) => path);
    expect(modulesShown(trace)).toBe('offered');
    expect(names(work())).toEqual([
      'ProfilerStep*',
      ...['', ' > aten::mm', ' > aten::mm > gemm'].map(rest => `ProfilerStep* > forward${rest}`),
    ]);
    expect(names(work({levels: ['modules']}))).toEqual([
      'Net',
      'Net > Net.layers.0…2',
      'Net > Net.layers.0…2 > Net.layers.0…2.mlp',
      'Net > Net.head',
    ]);
    expect(names(work({levels: ['ranges', 'modules']}))[2]).toBe('ProfilerStep* > forward > Net');
  });

  it('are one block a call where stacks were recorded as well', async () => {
    const inStacks = [
      kineto.python('nn.Module: Net_0', 4, 492),
      kineto.python('nn.Module: Block_0', 9, 52),
      kineto.python('nn.Module: Linear_0', 399, 22),
    ];
    const both = await traceOfEvents([...network, ...inStacks]);
    expect(blocks(flameGraph(both, work()))).toEqual(blocks(flameGraph(await traceOfEvents(network), work())));
  });

  it('have CPU time by themselves', async () => {
    const graph = flameGraph(await traceOfEvents(network), {weight: 'cpu', levels: ['modules']});
    expect(flameName(graph, 0)).toBe('CPU wall time of modules');
    const node = blockNamed(graph, 'nn.Module: Net.layers.0…2');
    const {total, self, members, least} = graph.nodes;
    expect([total[node], self[node], members[node], least[node]]).toEqual([150_000, 60_000, 3, 50_000]);
  });

  it('keep all work in the root, whatever the levels', async () => {
    const trace = await traceOfEvents([...network, kineto.call(20, 600, 2), kineto.kernel(20, 3000, 7)]);
    for (const levels of [undefined, ['modules'], ['modules', 'operations'], ['operators']] as const) {
      expect(flameGraph(trace, work(levels && {levels})).total).toBe(107_000);
    }
  });

  it('are not known of a profile without calls of modules', async () => {
    expect(modulesShown(await traceOfEvents([kineto.op('aten::mm', 0, 5)]))).toBe('none');
  });
});

it.each([
  ['nn.Module: Net.layers.0…11.mlp', 'nn.Module: Net.layers.0.mlp', 'nn.Module: Net.layers.*.mlp'],
  ['nn.Module: Linear_3, 10 … 80', 'nn.Module: Linear_3', 'nn.Module: Linear_*'],
  ['nn.Module: Linear_3, 10', 'nn.Module: Linear_3', 'nn.Module: Linear_*'],
  ['nn.Module: Net.layers.3', 'nn.Module: Net.layers.3', 'nn.Module: Net.layers.3'],
  ['phase 1, 2', 'phase 1, 2', 'phase 1, 2'],
])('the first module of %s is %s, and all of them are %s', (label, first, starred) => {
  expect(firstOfFolded(label)).toBe(first);
  expect(starredModule(label)).toBe(starred);
  expect(isFoldedModule(label)).toBe(label !== first);
});
