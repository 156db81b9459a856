import {expect, it} from 'vitest';
import {rangeTree} from '../../../src/core/questions/range-tree.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import {automaticRanges} from '../../../src/core/source/automatic-ranges.js';
import {parseSidecar} from '../../../src/core/source/sidecar.js';
import {kineto} from '../../support/kineto-events.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

const line = {name: 'train.py:3', kind: 'loop', file: 'train.py', line: 3};
const sidecarOf = (lines: unknown) =>
  parseSidecar(JSON.stringify({sites: [], modules: [{name: 'nn.Module: Net', class: 'm.Net'}], lines}));

it('parseSidecar(text).lines leaves out what is no line', () => {
  const bad = [null, {...line, kind: 'tag'}, {...line, line: 0}, {...line, file: 1}, {...line, name: undefined}];
  expect(sidecarOf([...bad, line])?.lines).toEqual([line]);
  expect(sidecarOf('x')?.lines).toEqual([]);
});

it('automaticRanges(sidecar) names lines and modules, and nothing where no line was recorded', () => {
  expect([...automaticRanges(sidecarOf([line]))]).toEqual([
    ['nn.Module: Net', 'module'],
    ['train.py:3', 'line'],
  ]);
  expect(automaticRanges(sidecarOf([])).size).toBe(0);
  expect(automaticRanges(null).size).toBe(0);
});

const events = [
  kineto.range('tag', 0, 100),
  kineto.op('train.py:3', 5, 90),
  kineto.op('nn.Module: Net', 10, 40),
  kineto.op('aten::mm', 12, 20),
  kineto.call(1, 14, 5),
  kineto.kernel(1, 200, 7),
  kineto.op('other.py:1', 60, 20),
  kineto.call(2, 62, 5),
  kineto.kernel(2, 220, 11),
  kineto.call(3, 97, 2),
  kineto.kernel(3, 240, 2),
  kineto.call(4, 120, 2),
  kineto.kernel(4, 250, 100),
];
const operators = ['train.py:3', 'nn.Module: Net'];

it('rangeRows(trace) with operators nests them among tags, and self work adds up to all GPU work', async () => {
  const rows = rangeRows(await traceOfEvents(events), 'path', {operators});
  const told = rows.map(({name, path, gpuWorkNs, gpuSelfNs}) => [path ?? name, gpuWorkNs, gpuSelfNs]);
  expect(told.slice(0, 4)).toEqual([
    ['tag', 20_000, 2000],
    ['tag/train.py:3', 18_000, 11_000],
    ['tag/train.py:3/nn.Module: Net', 7000, 7000],
    ['(outside any range)', 100_000, 100_000],
  ]);
  expect(rows.reduce((sum, row) => sum + row.gpuSelfNs + row.backwardGpuSelfNs, 0)).toBe(120_000);
});

it('rangeRows(trace) keeps rows with and without operators apart', async () => {
  const trace = await traceOfEvents(events);
  const names = (rows: readonly {name: string; count: number}[]) =>
    rows.filter(({count}) => count > 0).map(({name}) => name);
  expect(names(rangeRows(trace, 'name'))).toEqual(['tag']);
  expect(names(rangeRows(trace, 'name', {operators}))).toEqual(['tag', 'train.py:3', 'nn.Module: Net']);
  expect(names(rangeRows(trace, 'name', {operators: ['train.py:3']}))).toEqual(['tag', 'train.py:3']);
});

it('rangeTree(trace, of, operators) has them below the tags around them', async () => {
  const {nodes} = rangeTree(await traceOfEvents(events), 'profile', operators);
  expect(nodes.map(({name, parent, gpuWorkNs}) => [name, parent, gpuWorkNs])).toEqual([
    ['tag', -1, 20_000],
    ['train.py:3', 0, 18_000],
    ['nn.Module: Net', 1, 7000],
  ]);
});
