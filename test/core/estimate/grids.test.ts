import {describe, expect, it} from 'vitest';
import type {Estimate} from '../../../src/core/estimate/estimate.js';
import {allFlops} from '../../../src/core/estimate/layer-cost.js';
import type {Parallelism} from '../../../src/core/estimate/parallelism.js';
import {estimateOf, line, sentBytes, shape} from '../../support/estimates.js';

// Powers of two, so that every grid divides them; no biases, which several GPUs would add alike.
const model = shape('gpt3-175b', {
  batch: 64,
  length: 512,
  embedding: 4096,
  hidden: 16384,
  heads: 64,
  keyValueHeads: 64,
  headWidth: 64,
  depth: 1,
  hasBias: false,
});
const products = ['fc1', 'fc2', 'qkv_proj', 'v_proj'];
const activations = 7 * model.batch * model.length * model.embedding * 2;
const weights = 12 * model.embedding ** 2 * 2;

const flat = (rows: number, columns: number): Parallelism => ({kind: '2D', rows, columns, depth: 1});
const deep = (side: number, depth: number): Parallelism => ({kind: '2.5D', rows: side, columns: side, depth});
const cube = (side: number): Parallelism => ({kind: '3D', rows: side, columns: side, inner: side});

describe('one GPU', () => {
  const serial = estimateOf(model);
  it.each([
    ['2D', flat(1, 1)],
    ['2.5D', deep(1, 1)],
    ['3D', cube(1)],
  ])('has the serial figures in %s', (_, parallelism) => {
    const {blocks, total} = estimateOf(model, parallelism);
    expect(blocks).toEqual(serial.blocks);
    expect(total).toEqual(serial.total);
  });

  it.each([['corrected'], ['printed']] as const)('sends nothing and adds nothing up (%s)', variant => {
    const result = estimateOf(shape('gpt3-175b'), line(1), {variant});
    expect(sentBytes(result, 'forward') + sentBytes(result, 'backward')).toBe(0);
    const {batch: b, length: l, embedding: e, hidden: f} = shape('gpt3-175b');
    const fc2 = result.blocks[0]?.layers.find(({cost}) => cost.name === 'fc2');
    expect(allFlops(fc2?.cost.forwardFlops ?? {matrix: 0, vector: 0})).toBe(b * l * e * 2 * f);
  });
});

describe('the operations of all GPUs together', () => {
  const serial = estimateOf(model);
  it.each<[string, Parallelism, number]>([
    ['2 in a line', line(2), 2],
    ['8 in a line', line(8), 8],
    ['2D 2 × 4', flat(2, 4), 8],
    ['2D 4 × 2', flat(4, 2), 8],
    ['2.5D 2 × 2 × 2', deep(2, 2), 8],
    ['3D 2 × 2 × 2', cube(2), 8],
    ['3D 1 × 2 × 4', {kind: '3D', rows: 1, columns: 2, inner: 4}, 8],
  ])('are those of one GPU, reductions included: %s', (_, parallelism, gpus) => {
    const result = estimateOf(model, parallelism);
    expect(result.gpus).toBe(gpus);
    for (const name of products) {
      expect(flopsOf(result, name, 'forward') * gpus).toBeCloseTo(flopsOf(serial, name, 'forward'), 0);
      expect(flopsOf(result, name, 'backward') * gpus).toBeCloseTo(flopsOf(serial, name, 'backward'), 0);
    }
    for (const name of ['logits', 'softmax', 'attend', 'act', 'dpr1', 'dropout_softmax'])
      expect(flopsOf(result, name, 'forward') * gpus).toBeCloseTo(flopsOf(serial, name, 'forward'), 0);
  });
});

describe('2D (SUMMA)', () => {
  // Optimus, arXiv:2104.05343, table 1: (7bsh + 12h²) over √p; what a GPU has itself is not sent.
  it.each([2, 4, 8, 16])('takes in (7bsh + 12h²)·(√p − 1)/p forward and twice that backward, √p = %d', side => {
    const result = estimateOf(model, flat(side, side));
    const volume = ((activations + weights) * (side - 1)) / side ** 2;
    expect(sentBytes(result, 'forward', products)).toBeCloseTo(volume, 0);
    expect(sentBytes(result, 'backward', products)).toBeCloseTo(2 * volume, 0);
  });

  it('sends less than a line of as many GPUs once they are many', () => {
    const many = sentBytes(estimateOf(model, flat(8, 8)), 'forward');
    expect(many).toBeLessThan(sentBytes(estimateOf(model, line(64)), 'forward'));
  });

  it('keeps 1/p of weights and of activations on each GPU', () => {
    const {total} = estimateOf(model, flat(4, 4));
    const serial = estimateOf(model).total;
    expect(total.bufferBytes).toBeCloseTo(serial.bufferBytes / 16, 0);
    const norms = 4 * model.embedding * 2;
    expect(total.weightBytes - norms / 4).toBeCloseTo((serial.weightBytes - norms) / 16, 0);
  });
});

describe('2.5D (Tesseract)', () => {
  // Solomonik and Demmel 2011: what is sent falls by 1/√(p·c), c copies; there the copies are of weights.
  it.each([
    [4, 1],
    [4, 2],
    [4, 4],
  ])('takes in activations over √(p·d), √(p/d) = %d, d = %d', (side, depth) => {
    const result = estimateOf(model, deep(side, depth));
    const gpus = side ** 2 * depth;
    const kept = (side - 1) / side;
    const volume = (activations * kept) / Math.sqrt(gpus * depth) + (weights * kept) / side;
    expect(sentBytes(result, 'forward', products)).toBeCloseTo(volume, 0);
    const gradients = (2 * weights * ((depth - 1) / depth)) / side ** 2;
    expect(sentBytes(result, 'backward', products)).toBeCloseTo(2 * volume + gradients, 0);
  });

  it('is 2D where the depth is 1, and sends less than 2D of as many GPUs', () => {
    expect(estimateOf(model, deep(4, 1)).blocks).toEqual(estimateOf(model, flat(4, 4)).blocks);
    const of2D = sentBytes(estimateOf(model, flat(8, 8)), 'forward');
    expect(sentBytes(estimateOf(model, deep(4, 4)), 'forward')).toBeLessThan(of2D);
  });
});

describe('3D', () => {
  // Bian et al., arXiv:2105.14450: each of the three matrices once over p^(2/3).
  it.each([2, 4, 8])('takes in all three matrices over p^⅔, ∛p = %d', side => {
    const result = estimateOf(model, cube(side));
    const outputs = 9 * model.batch * model.length * model.embedding * 2;
    const volume = ((activations + outputs + weights) * (side - 1)) / side ** 3;
    expect(sentBytes(result, 'forward', products)).toBeCloseTo(volume, 0);
    expect(sentBytes(result, 'backward', products)).toBeCloseTo(
      ((2 * activations + outputs + 2 * weights) * (side - 1)) / side ** 3,
      0,
    );
  });

  it('sends less than 2D, and 2D less than a line, of 64 GPUs', () => {
    const [line64, flat64, cube64] = [line(64), flat(8, 8), cube(4)].map(parallelism =>
      sentBytes(estimateOf(model, parallelism), 'forward'),
    );
    expect(flat64).toBeLessThan(line64 ?? 0);
    expect(cube64).toBeLessThan(flat64 ?? 0);
  });

  it('along its columns alone reduces like a line does', () => {
    const columns = estimateOf(model, {kind: '3D', rows: 1, columns: 4, inner: 1});
    const fc1 = layer(columns, 'fc1').cost.backwardTransfers.find(({collective}) => collective === 'reducescatter');
    expect(fc1?.bytes).toBe(layer(estimateOf(model, line(4)), 'fc1').cost.backwardTransfers[0]?.bytes);
  });
});

describe('groups', () => {
  it('leave the NVLink domain by how far they span', () => {
    const {cost, time} = layer(estimateOf(model, flat(4, 4)), 'fc1');
    expect(cost.forwardTransfers.map(({groupSize, spanSize}) => [groupSize, spanSize])).toEqual([
      [4, 4],
      [4, 16],
    ]);
    const [along, across] = cost.forwardTransfers;
    const expected = ((along?.bytes ?? 0) / 600e9 + (across?.bytes ?? 0) / 100e9) * 1e3;
    expect(time.forward.communicationMs).toBeCloseTo(expected, 9);
  });
});

function layer(result: Estimate, name: string) {
  const found = result.blocks.flatMap(({layers}) => [...layers]).find(({cost}) => cost.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
}

function flopsOf(result: Estimate, name: string, pass: 'forward' | 'backward'): number {
  const {cost} = layer(result, name);
  return allFlops(pass === 'forward' ? cost.forwardFlops : cost.backwardFlops);
}
