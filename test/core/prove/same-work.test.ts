import {describe, expect, it} from 'vitest';
import type {WorkRecord} from '../../../src/core/prove/process-record.js';
import {compareWorkKinds} from '../../../src/core/prove/same-work.js';
import {work} from '../../support/proof-records.js';

const counts = {train: 20, backward: 20, infer: 20};

/** Codes and weights of what is told. */
function told(base: Partial<WorkRecord>, changed: Partial<WorkRecord>, areValuesSame = false): readonly string[] {
  return compareWorkKinds(work(base), work(changed), areValuesSame).map(({weight, code}) => `${weight} ${code}`);
}

describe('compareWorkKinds', () => {
  it('finds the same steps and operations in the same work', () => {
    expect(told({}, {})).toEqual(['evidence steps', 'evidence operations']);
  });

  it.each<[string, Partial<WorkRecord>, string]>([
    ['fewer optimizer steps', {counts: {...counts, train: 15}}, 'difference steps'],
    ['more optimizer steps', {counts: {...counts, train: 25}}, 'difference steps'],
    [
      'another shape of inputs',
      {shapes: new Map([['torch.float32[2, 4]', 20]]), inputElements: 160},
      'difference shapes',
    ],
    ['tensors of another type', {dtypes: ['torch.bfloat16', 'torch.float32']}, 'difference dtypes'],
    ['products in another type', {flops: new Map([['torch.bfloat16', 1000]])}, 'difference dtypes'],
    ['less exact products', {precision: 'float32 matmul precision high, TF32 on'}, 'difference dtypes'],
    ['no gradients', {counts: {train: 0, backward: 0, infer: 20}}, 'difference training'],
    ['evaluation mode', {modes: ['evaluation mode, with gradients']}, 'difference training'],
    ['fewer operations with other results', {flops: new Map([['torch.float32', 500]])}, 'difference operations'],
    ['another device', {device: 'NVIDIA H100'}, 'doubt machine'],
  ])('tells %s', (_, changed, expected) => {
    expect(told({}, changed)).toContain(expected);
  });

  it('says which types there are', () => {
    const [reason] = compareWorkKinds(work(), work({flops: new Map([['torch.bfloat16', 9]])}), false).filter(
      ({code}) => code === 'dtypes',
    );
    expect(reason?.text).toBe(
      'Data types differ: tensors of torch.float32, products in torch.float32 at BASE; tensors of torch.float32, products in torch.bfloat16 at CHANGED.',
    );
  });

  it('takes fewer operations and larger batches for no fault where results are the same', () => {
    const infer = {counts: {train: 0, backward: 0, infer: 100}};
    const batched = {
      ...{counts: {train: 0, backward: 0, infer: 10}, shapes: new Map([['torch.float32[80, 4]', 10]])},
      flops: new Map([['torch.float32', 500]]),
    };
    expect(told(infer, batched, true)).toEqual(['evidence shapes', 'evidence operations']);
    expect(told(infer, batched, false)).toEqual(['difference shapes', 'difference operations']);
  });

  it('finds a step that was skipped where results are the same, too', () => {
    expect(told({}, {counts: {...counts, train: 19}}, true)).toContain('difference steps');
  });

  it('says nothing of operations that could not be counted', () => {
    expect(told({flops: null}, {flops: null})).toEqual(['evidence steps']);
  });
});
