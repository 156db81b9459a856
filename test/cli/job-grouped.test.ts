import {expect, it} from 'vitest';
import {jobReport} from '../../src/core/job/job-report.js';
import {jobText} from '../../src/cli/job-output.js';
import {expectSchema} from '../support/json-schema.js';
import {groupedExperts} from '../../src/core/job/grouped-experts.js';
import {ranksOfSummary} from '../../src/core/job/ranks-of-summary.js';
import {summaryTable} from '../../src/core/job/summary-table.js';
import {ranksOfProfile} from '../../src/cli/ranks-of-file.js';
import {kineto} from '../support/kineto-events.js';
import {ofEvents} from '../support/trace-of-events.js';

/** `_grouped_mm` as PyTorch 2.13 records it on a CPU: tokens, weights, the ends of the groups. */
const product = (ts: number, tokens: readonly number[], weights: readonly number[]) =>
  kineto.op('aten::_grouped_mm', ts, 2, {
    'Input Dims': [tokens, weights, [4], [], []],
    'Input type': ['c10::BFloat16', 'c10::BFloat16', 'int', '', ''],
    'Concrete Inputs': ['', '', '', '', ''],
  });

/** A pass through two layers and back, with as many tokens as are given. */
const pass = (ts: number, first: number, second: number) => [
  kineto.range(`ProfilerStep#${String(ts)}`, ts, 190),
  // What is outside every layer tells none.
  product(ts + 2, [99, 16], [4, 16, 32]),
  kineto.range('layers.0.mlp.experts', ts + 10, 20),
  product(ts + 12, [first, 16], [4, 16, 32]),
  product(ts + 16, [first, 32], [4, 32, 16]),
  kineto.range('layers.1.moe', ts + 40, 20),
  kineto.range('router', ts + 41, 3),
  product(ts + 46, [second, 16], [8, 16, 32]),
  kineto.range('backward', ts + 100, 80),
  kineto.op('autograd::engine::evaluate_function: GroupedMmBackward0', ts + 105, 30),
  product(ts + 110, [32, second], [second, 16]),
  product(ts + 115, [second, 32], [8, 32, 16]),
  // The gradient of weights, outside of what autograd tells.
  product(ts + 140, [32, second], [second, 16]),
];

it('experts of grouped products are known by shapes: how many, and their tokens by layer and rank', async () => {
  const read = async (rank: number, first: number) => {
    const events = [...pass(0, first, 10), ...pass(200, first + 2, 10)];
    return ofEvents(events, {distributedInfo: {rank, world_size: 2}}, path => ranksOfProfile(path, 0));
  };
  const ranks = [...(await read(0, 24)), ...(await read(1, 4))];
  // By hand: 24 + 26 against 4 + 6 tokens, of which the mean is 30.
  expect(groupedExperts(ranks)).toEqual([
    {
      ...{layer: 'layers.0.mlp', experts: 4, rankImbalance: 50 / 30},
      ranks: [
        {rank: 0, tokens: 50},
        {rank: 1, tokens: 10},
      ],
    },
    {
      ...{layer: 'layers.1.moe', experts: 8, rankImbalance: 1},
      ranks: [
        {rank: 0, tokens: 20},
        {rank: 1, tokens: 20},
      ],
    },
  ]);
  const text = jobText(jobReport(ranks), null, 'json');
  expectSchema('job', text);
  const {grouped} = JSON.parse(text) as {grouped: readonly {layer: string}[]};
  expect(grouped.map(({layer}) => layer)).toEqual(['layers.0.mlp', 'layers.1.moe']);
  const table = summaryTable(ranks.slice(0, 1));
  expect(ranksOfSummary(table, table.kind.length, 0)).toEqual(ranks.slice(0, 1));
});

it('a profile without shapes tells nothing of grouped products', async () => {
  const events = [kineto.range('moe.experts', 0, 10), kineto.op('aten::_grouped_mm', 2, 2)];
  const [rank] = await ofEvents(events, {distributedInfo: {rank: 0, world_size: 1}}, path => ranksOfProfile(path, 0));
  expect(rank?.grouped).toEqual([]);
});

it('a range that is called "experts" alone is a layer of this name', async () => {
  const events = [kineto.range('experts', 0, 10), product(2, [5, 16], [4, 16, 32])];
  const [rank] = await ofEvents(events, {distributedInfo: {rank: 0, world_size: 1}}, path => ranksOfProfile(path, 0));
  expect(rank?.grouped).toEqual([{layer: 'experts', experts: 4, tokens: 5}]);
});
