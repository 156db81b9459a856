import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {costFormula, operatorCost} from '../../../src/core/roofline/operator-cost.js';
import {project} from '../../support/project.js';

/** What test/fixtures/flop-counter/count.py writes. */
interface Counted {
  readonly registered: readonly string[];
  readonly entries: readonly {
    readonly operator: string;
    readonly case: string;
    readonly dims: number[][];
    readonly types: string[];
    readonly values: string[];
    readonly flops: number;
    /** The part of torch's count that is computed, as a fraction; all of it where absent. */
    readonly share?: readonly [number, number];
    readonly why?: string;
  }[];
}

const file = join(project, 'test', 'fixtures', 'flop-counter', 'torch-2.13.json');
const {registered, entries} = JSON.parse(readFileSync(file, 'utf8')) as Counted;

/** Why what torch counts has no formula here. */
const withoutFormula: Readonly<Record<string, string>> = {
  flex_attention: 'no operator: torch.compile makes it a Triton kernel, whose pairs its mask’s code decides',
  flex_attention_backward: 'the same',
};

describe('operators that the counter of torch 2.13 knows', () => {
  it.each(registered)('%s has a formula and cases, or a reason', name => {
    const cases = entries.filter(({operator}) => operator === name);
    const isToCount = !Object.hasOwn(withoutFormula, name);
    expect(costFormula(name) !== null).toBe(isToCount);
    expect(cases.length).toBeGreaterThanOrEqual(isToCount ? 3 : 0);
  });

  it.each(entries)('$operator, $case, has as many FLOP as torch counts', entry => {
    const [part, whole] = entry.share ?? [1, 1];
    if (part !== whole) expect(entry.why).toMatch(/^torch (counts|does not count) /);
    expect(operatorCost(entry.operator, entry)?.flops.matrix).toBe((entry.flops * part) / whole);
  });
});

describe('operatorCost(name, inputs) of attention says nothing where', () => {
  const attention = entries.find(
    ({operator, case: name}) => operator === 'aten::_efficient_attention_backward' && name === 'plain',
  );
  if (!attention) throw new Error('no such entry');

  it('sequences are packed, and a tensor has their lengths', () => {
    const dims = attention.dims.map((sizes, at) => (at === 6 || at === 7 ? [5] : sizes));
    expect(operatorCost(attention.operator, {...attention, dims})).toBeNull();
  });

  it('a window slides', () => {
    const values = attention.values.map((value, at) => (at === 18 ? '128' : value));
    expect(operatorCost(attention.operator, {...attention, values})).toBeNull();
  });

  it('the mask is none that PyTorch has', () => {
    const values = attention.values.map((value, at) => (at === 14 ? '7' : value));
    expect(operatorCost(attention.operator, {...attention, values})).toBeNull();
  });

  it('heads of queries are no multiple of those of keys', () => {
    const dims = attention.dims.map((sizes, at) => (at === 2 || at === 3 ? [2, 141, 3, 64] : sizes));
    expect(operatorCost(attention.operator, {...attention, dims})).toBeNull();
  });
});
