import {describe, expect, it} from 'vitest';
import type {Estimate} from '../../../src/core/estimate/estimate.js';
import {allFlops} from '../../../src/core/estimate/layer-cost.js';
import {modelPresets} from '../../../src/core/estimate/model-presets.js';
import {layerWeights} from '../../../src/core/estimate/model-shape.js';
import {oneGpu} from '../../../src/core/estimate/parallelism.js';
import {estimateOf, line, sentBytes, shape} from '../../support/estimates.js';

function layer(result: Estimate, name: string) {
  const found = result.blocks.flatMap(({layers}) => [...layers]).find(({cost}) => cost.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found.cost;
}

const names = (result: Estimate) => result.blocks.map(({layers}) => layers.map(({cost}) => cost.name));
const small = shape('gpt2-xl', {length: 64, embedding: 32, hidden: 128, heads: 4, keyValueHeads: 4, headWidth: 8});

describe('a causal mask', () => {
  const causal = estimateOf({...small, isCausal: true});
  const all = estimateOf(small);
  const {batch: b, length: l, heads: h, headWidth: q} = small;

  it('counts the pairs of the past alone, one by one', () => {
    let [logits, softmax, attend] = [0, 0, 0];
    for (let query = 1; query <= l; query++) {
      logits += query * (2 * q - 1);
      softmax += 3 * query - 1;
      attend += q * (2 * query - 1);
    }
    expect(allFlops(layer(causal, 'logits').forwardFlops)).toBe(b * h * logits);
    expect(allFlops(layer(causal, 'softmax').forwardFlops)).toBe(b * h * softmax);
    expect(allFlops(layer(causal, 'attend').forwardFlops)).toBe(b * h * attend);
    expect(allFlops(layer(causal, 'dropout_softmax').forwardFlops)).toBe((b * h * l * (l + 1)) / 2);
  });

  it('leaves tensors and projections as they are', () => {
    for (const name of ['logits', 'softmax', 'dropout_softmax', 'attend'])
      expect(layer(causal, name).forwardBytes).toBe(layer(all, name).forwardBytes);
    expect(layer(causal, 'qkv_proj')).toEqual(layer(all, 'qkv_proj'));
  });
});

describe('flash attention', () => {
  const plain = estimateOf(small);
  const flash = estimateOf({...small, attention: 'flash'});

  it('takes the place of four layers, with their operations', () => {
    expect(names(flash)[1]).toEqual([
      'layer_norm_1',
      'qkv_proj',
      'flash_attention',
      'v_proj',
      'dropout',
      'layer_norm_2',
    ]);
    const four = ['logits', 'softmax', 'dropout_softmax', 'attend'].map(name => layer(plain, name));
    const forward = four.reduce((sum, {forwardFlops}) => sum + allFlops(forwardFlops), 0);
    expect(allFlops(layer(flash, 'flash_attention').forwardFlops)).toBe(forward);
  });

  it('computes five products backward for the two of forward', () => {
    const long = layer(estimateOf({...small, attention: 'flash', headWidth: 128, length: 4096}), 'flash_attention');
    expect(long.backwardFlops.matrix / long.forwardFlops.matrix).toBeCloseTo(2.5, 2);
  });

  it('moves and keeps what grows with the length, not with its square', () => {
    const twice = layer(estimateOf({...small, attention: 'flash', length: 128}), 'flash_attention');
    const once = layer(flash, 'flash_attention');
    expect(twice.forwardBytes).toBe(2 * once.forwardBytes);
    expect(twice.bufferBytes).toBe(2 * once.bufferBytes);
    expect(layer(plain, 'softmax').bufferBytes).toBeGreaterThan(0);
  });
});

describe('grouped-query attention', () => {
  const grouped = estimateOf({...small, keyValueHeads: 1});
  const plain = estimateOf(small);

  it('has narrower keys and values, and the logits’ operations of before', () => {
    const {embedding: e, heads: h, headWidth: q} = small;
    expect(layer(grouped, 'qkv_proj').weightBytes).toBe(e * (h + 2) * q * 2);
    expect(layer(grouped, 'logits').otherInputBytes).toBe(layer(plain, 'logits').otherInputBytes / h);
    expect(layer(grouped, 'logits').forwardFlops).toEqual(layer(plain, 'logits').forwardFlops);
  });

  it('adds up the gradients of heads that share keys', () => {
    const {batch: b, length: l, heads: h, headWidth: q} = small;
    const more = allFlops(layer(grouped, 'logits').backwardFlops) - allFlops(layer(plain, 'logits').backwardFlops);
    expect(more).toBe(b * l * q * (h - 1));
  });

  it('gives several GPUs the same keys where there are more GPUs than heads of keys', () => {
    const {embedding: e, headWidth: q} = small;
    expect(layer(estimateOf({...small, keyValueHeads: 2}, line(4)), 'qkv_proj').weightBytes).toBe(e * 3 * q * 2);
  });
});

describe('experts with fewer tokens than experts', () => {
  const firstOf = (length: number) => {
    const {blocks} = estimateOf(shape('fairseq-moe-15b', {batch: 1, length}));
    const cost = blocks.find(({name}) => name === 'moe')?.layers.find(one => one.cost.name === 'fc1')?.cost;
    if (!cost) throw new Error('There are experts.');
    return cost;
  };

  it('multiply each row backward by the weights that are used', () => {
    const {embedding: e, hidden: f, expertsPerToken: k} = shape('fairseq-moe-15b');
    const rows = 2 * k;
    const {backwardFlops} = firstOf(2);
    // A product of one row with each weight adds nothing; the bias adds one for each output.
    expect(allFlops(backwardFlops)).toBe(rows * e * (2 * f - 1) + e * f * rows + rows * f);
  });

  it('read no weight without a token', () => {
    const {embedding: e, hidden: f, expertsPerToken: k} = shape('fairseq-moe-15b');
    const [one, two] = [firstOf(1), firstOf(2)];
    expect(two.forwardBytes - one.forwardBytes).toBe(2 * k * (e + f + (e + 1) * f));
  });
});

describe('SwiGLU and RMSNorm', () => {
  const gated = estimateOf({...small, mlp: 'gated', norm: 'rms-norm', hasBias: false});

  it('has two products before the activation', () => {
    const {batch: b, length: l, embedding: e, hidden: f} = small;
    expect(allFlops(layer(gated, 'fc1').forwardFlops)).toBe(b * l * 2 * f * (2 * e - 1));
    expect(layer(gated, 'act').inputBytes + layer(gated, 'act').otherInputBytes).toBe(2 * b * l * f * 2);
  });

  it('has half the weights of a layer norm', () => {
    expect(layer(gated, 'layer_norm_1').weightBytes).toBe(layer(estimateOf(small), 'layer_norm_1').weightBytes / 2);
  });

  it('gathers on the last product where there is no dropout', () => {
    const none = estimateOf({...small, hasDropout: false}, line(4));
    expect(layer(none, 'fc2').backwardTransfers.map(({collective}) => collective)).toEqual(['allgather']);
    expect(sentBytes(none, 'backward')).toBe(sentBytes(estimateOf(small, line(4)), 'backward'));
  });
});

describe('experts', () => {
  const experts = {...small, experts: 8, expertsPerToken: 2, expertLayers: small.depth};
  const one = estimateOf(experts);

  it('multiply each token by as many experts as it goes to', () => {
    const {batch: b, length: l, embedding: e, hidden: f} = small;
    const fc1 = layer(one, 'fc1');
    expect(allFlops(fc1.forwardFlops)).toBe(2 * b * l * 2 * e * f);
    expect(fc1.weightBytes).toBe(8 * (e + 1) * f * 2);
  });

  it('of one expert that takes all tokens cost what the MLP costs', () => {
    const single = estimateOf({...experts, experts: 1, expertsPerToken: 1});
    for (const name of ['fc1', 'act', 'dpr1', 'fc2', 'dpr2'])
      expect(layer(single, name)).toEqual(layer(estimateOf(small), name));
  });

  it('are sent (n − 1)/n of the copies of tokens, twice forward and twice backward', () => {
    const spread = estimateOf(experts, {kind: '1D', tensor: 1, sequence: 1, expert: 4});
    const copies = 2 * small.batch * small.length * small.embedding * 2;
    expect(sentBytes(spread, 'forward')).toBe(2 * copies * (3 / 4));
    expect(sentBytes(spread, 'backward')).toBe(2 * copies * (3 / 4));
    expect(layer(spread, 'fc1').weightBytes).toBe(layer(one, 'fc1').weightBytes / 4);
    expect(layer(spread, 'fc1').forwardFlops).toEqual(layer(one, 'fc1').forwardFlops);
    expect(sentBytes(one, 'forward')).toBe(0);
  });

  it('stand beside the MLPs of the other layers', () => {
    const mixed = estimateOf(shape('fairseq-moe-15b'));
    expect(mixed.blocks.map(({name, count}) => [name, count])).toEqual([
      ['mlp', 6],
      ['moe', 6],
      ['attention', 12],
    ]);
  });
});

describe('presets', () => {
  // Weights without embeddings, as their papers and configurations have them.
  it.each([
    ['gpt3-175b', 173.9e9],
    ['gpt2-xl', 1.475e9],
    ['bert-base', 85e6],
    ['llama2-7b', 6.476e9],
    ['llama2-70b', 68.45e9],
    ['llama3-8b', 6.979e9],
    ['qwen1.5-0.5b', 308.3e6],
    ['mixtral-8x7b', 46.44e9],
    ['fairseq-moe-15b', 14.57e9],
  ])('%s has %d weights in its layers', (id, weights) => {
    expect(Math.abs(layerWeights(shape(id)) / weights - 1)).toBeLessThan(0.002);
  });

  it.each(modelPresets.map(({id}) => [id]))('%s stores the weights that it has', id => {
    const {total} = estimateOf(shape(id), oneGpu);
    expect(total.weightBytes / 2).toBe(layerWeights(shape(id)));
  });
});
