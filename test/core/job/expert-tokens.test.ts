import {expect, it} from 'vitest';
import type {OperatorInputs} from '../../../src/core/figures/operator-inputs.js';
import {expertTokens, hasExperts} from '../../../src/core/job/expert-tokens.js';
import {kineto} from '../../support/kineto-events.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

const tensor = (...dims: number[][]): OperatorInputs => ({dims, types: dims.map(() => 'float'), values: []});
const topk = (rows: number, experts: number, k: number): OperatorInputs => ({
  ...{dims: [[rows, experts], []], types: ['float', 'Scalar'], values: ['', String(k)]},
});

/** Operators by name and input, and ranges with what is in them, one after the other. */
async function tokensOf(...steps: (readonly [string, OperatorInputs] | readonly [string, OperatorInputs, 'inside'])[]) {
  const events = steps.map(([name, , inside], at) => kineto.op(name, 100 * at + (inside ? 5 : 0), 10));
  const ranges = ['m.experts.0', 'm.experts.1', 'm.experts.0', 'm.experts.1'];
  let next = 0;
  const around = steps.flatMap(([, , inside], at) =>
    inside ? [kineto.range(ranges[next++] ?? '', 100 * at, 50)] : [],
  );
  const trace = await traceOfEvents([...events, ...around]);
  const rows = [...trace.slices.name.keys()].filter(row =>
    trace.strings.get(trace.slices.name[row] ?? -1).startsWith('aten::'),
  );
  return expertTokens(trace, new Map(rows.map((row, at) => [row, steps[at]?.[1] ?? tensor()])), null);
}

it('an expert’s tokens are the rows of the first product of each of its ranges, a router’s the rows × k of its topk', async () => {
  expect(
    await tokensOf(
      // Of two choices of three words: no router of experts came after it.
      ['aten::topk', topk(9, 1, 1)],
      ['aten::topk', topk(10, 2, 1)],
      ['aten::linear', tensor([7, 4], [8, 4]), 'inside'],
      ['aten::mm', tensor([3, 4], [4, 8]), 'inside'],
      ['aten::topk', topk(5, 1, 1)],
      ['aten::addmm', tensor([8], [2, 4], [4, 8]), 'inside'],
    ),
  ).toEqual([
    // The last `topk` has one choice, which expert 0 may be.
    {layer: 'm', expert: null, tokens: 15},
    {layer: 'm', expert: 0, tokens: 9},
    {layer: 'm', expert: 1, tokens: 3},
  ]);
});

it('a topk between fewer choices than there are experts is no router’s, and operators that are no products tell nothing', async () => {
  expect(
    await tokensOf(
      ['aten::mul', tensor([1, 4]), 'inside'],
      ['aten::topk', topk(9, 1, 1)],
      ['aten::mm', tensor([3, 4], [4, 8]), 'inside'],
    ),
  ).toEqual([
    {layer: 'm', expert: 0, tokens: 0},
    {layer: 'm', expert: 1, tokens: 3},
  ]);
  expect(await tokensOf(['aten::mul', tensor([1, 4]), 'inside'])).toEqual([]);
});

it('shapes are read only where ranges are named as experts', async () => {
  const named = await traceOfEvents([kineto.range('m.experts.0', 0, 5)]);
  expect(hasExperts(named)).toBe(true);
  expect(expertTokens(named, null, null)).toEqual([]);
  expect(hasExperts(await traceOfEvents([kineto.range('m.mlp', 0, 5)]))).toBe(false);
});
