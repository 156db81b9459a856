import {join} from 'node:path';
import {expect, it} from 'vitest';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import {rangeTree, type RangeTree} from '../../../src/core/questions/range-tree.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {kineto} from '../../support/kineto-events.js';
import {project} from '../../support/project.js';
import {traceFromText} from '../../support/trace-from-text.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

const trace = traceFromText(`
range step_1     ========
range step_2             ========
range small       =       =
range large         ==      ==
call              A B       C D
stream 7           ABBB      CDDDD
`);

/** A tree as indented lines. */
function lines({nodes}: RangeTree, parent = -1, indent = ''): string[] {
  return nodes.flatMap(({name, gpuWorkNs, count, parent: of}, at) =>
    of === parent
      ? [`${indent}${name} ${String(gpuWorkNs)} ×${String(count)}`, ...lines({nodes} as RangeTree, at, `${indent}  `)]
      : [],
  );
}

it('rangeTree(trace) has the paths of all steps as one, the heaviest first', () => {
  const plain = traceFromText(`
range step       ==============
range small       =           =
range large         ==     ==
call             A  B      C  D
stream 7          A  BBB    CCC DD
`);
  expect(lines(rangeTree(plain))).toEqual(['step 9000 ×1', '  large 6000 ×2', '  small 2000 ×2']);
  const tree = rangeTree(trace);
  expect(tree).toMatchObject({of: 'steps', steps: 2});
  expect(tree.nodes.map(({name}) => name)).toEqual(['step_*', 'large', 'small']);
});

it('rangeTree(trace, of, operators, most) keeps the heaviest paths, with those that they begin with', () => {
  const tree = rangeTree(trace, 'steps', [], 2);
  expect(tree.nodes.map(({name, parent}) => [name, parent])).toEqual([
    ['step_*', -1],
    ['large', 0],
  ]);
  expect(tree.omitted).toBe(1);
});

it('rangeTree(trace) has the figures of gpu-lens ranges --by path', async () => {
  const sample = await openTrace(join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz'));
  const {nodes, steps} = rangeTree(sample);
  const rows = new Map<string | null, {count: number; cpuWallNs: number}>();
  for (const number of [1, 2, 3]) {
    for (const {path, count, cpuWallNs} of rangeRows(sample, 'path', {
      selection: {step: number},
      fold: {unfolded: []},
    })) {
      const row = rows.get(path) ?? {count: 0, cpuWallNs: 0};
      rows.set(path, {count: row.count + count, cpuWallNs: row.cpuWallNs + cpuWallNs});
    }
  }
  const pathOf = (at: number): string => {
    const {parent, name} = nodes[at] ?? {parent: -1, name: ''};
    return parent < 0 ? name : `${pathOf(parent)}/${name}`;
  };
  expect(steps).toBe(3);
  expect(nodes.length).toBeGreaterThan(20);
  for (const [at, {count, cpuWallNs}] of nodes.entries()) expect({count, cpuWallNs}).toEqual(rows.get(pathOf(at)));
});

it('rangeTree(trace) tells steps, folded into one name, from a range whose own name ends in a star', () => {
  const starred = traceFromText(`
range step_1     ====
range step_2         ====
range conv*        =   =
call               A   B
stream 7           A   B
`);
  expect(rangeTree(starred).nodes.map(({name, isFolded}) => [name, isFolded])).toEqual([
    ['step_*', true],
    ['conv*', false],
  ]);
});

const layersOfModel = [0, 1].flatMap(layer => [
  kineto.op(`nn.Module: Net.layers.${String(layer)}`, 10 + 100 * layer, 80),
  kineto.op(`nn.Module: Net.layers.${String(layer)}.mlp`, 20 + 100 * layer, 60),
  kineto.call(layer + 1, 30 + 100 * layer, 2),
  kineto.kernel(layer + 1, 40 + 100 * layer, 5 + layer),
]);
const model = [kineto.range('ProfilerStep#1', 0, 500), kineto.op('nn.Module: Net', 5, 400), ...layersOfModel];
const inModules = [
  'ProfilerStep* 11000 ×1',
  '  nn.Module: Net 11000 ×1',
  '    nn.Module: Net.layers.0…1 11000 ×2',
  '      nn.Module: Net.layers.0…1.mlp 11000 ×2',
];

it('rangeTree(trace) has modules where no person’s range is, identical layers as one, and each call once', async () => {
  expect(lines(rangeTree(await traceOfEvents(model)))).toEqual(inModules);
  const inStacks = [kineto.python('nn.Module: Net_0', 4, 402), kineto.python('nn.Module: Block_0', 9, 82)];
  expect(lines(rangeTree(await traceOfEvents([...model, ...inStacks])))).toEqual(inModules);
});

it('rangeTree(trace, of, operators) has no modules beside a person’s ranges but those that are asked for', async () => {
  const tagged = await traceOfEvents([...model, kineto.range('forward', 2, 450)]);
  const names = (operators: readonly string[]) => rangeTree(tagged, 'steps', operators).nodes.map(({name}) => name);
  expect(names([])).toEqual(['ProfilerStep*', 'forward']);
  const layers = [0, 1].map(layer => `nn.Module: Net.layers.${String(layer)}`);
  expect(names(layers)).toEqual(['ProfilerStep*', 'forward', 'nn.Module: Net.layers.0…1']);
});
