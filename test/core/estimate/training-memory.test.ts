import {readFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {trainingMemory, trainingSetup, usualTraining} from '../../../src/core/estimate/training-memory.js';
import type {ModelShape} from '../../../src/core/estimate/model-shape.js';
import {categoryBytes, estimateBeside} from '../../../src/core/memory-snapshot/estimate-beside.js';
import {replayDevice} from '../../../src/core/memory-snapshot/replay.js';
import {memoryOfFile} from '../../../src/importers/memory-of-file.js';
import {snapshotOf} from '../../support/read-snapshot.js';
import {trainingSnapshot} from '../../support/training-snapshot.js';
import {shape} from '../../support/estimates.js';

const fixture = 'test/fixtures/transformer-memory/train.pt.trace.json.gz';
/** The model that the fixture was recorded of. */
const recorded: ModelShape = shape('gpt2-xl', {
  ...{batch: 2, length: 16, embedding: 32, hidden: 128, heads: 4, keyValueHeads: 4, headWidth: 8, depth: 1},
  hasDropout: false,
});

describe('trainingMemory', () => {
  it('counts a model by hand: two tokens of width 4, one layer of two heads, five words', () => {
    const model = {
      ...recorded,
      ...{batch: 1, length: 2, embedding: 4, hidden: 8, heads: 2, keyValueHeads: 2, headWidth: 2},
    };
    // Attention: 4·12 + 4·4 + 4; MLP: 4·8 + 8 + 8·4 + 4; two norms of 8; two matrices of 5·4, and a norm of 8.
    const weights = 68 + 76 + 16 + 48;
    // Inputs of two norms, of qkv and of out: 4·8. Queries, keys, values: 3·8. Attention's weights: 2·2·2, once.
    // Inputs of fc1, of the activation and of fc2: 8 + 16 + 16. Inputs of the last norm and of the output: 2·8. Loss: 2·5.
    const kept = 32 + 24 + 8 + 40 + 16 + 10;
    const setup = {...usualTraining, vocabulary: 5};
    expect(trainingMemory({shape: model, precision: 'fp32'}, setup)).toEqual({
      ...{weights, parameterBytes: 4 * weights, gradientBytes: 4 * weights},
      ...{optimizerBytes: 8 * weights, activationBytes: 4 * kept},
    });
    // Under autocast the weights are in fp32, and so is the loss.
    const mixed = trainingMemory(
      {shape: model, precision: 'bf16'},
      {...setup, weightPrecision: 'fp32', optimizer: 'sgd'},
    );
    expect(mixed).toMatchObject({parameterBytes: 4 * weights, optimizerBytes: 0, activationBytes: 2 * kept + 2 * 10});
    // A tied output has no matrix of its own; dropout keeps what it took and its masks.
    const tied = trainingMemory({shape: model, precision: 'fp32'}, {...setup, isTied: true});
    expect(tied.weights).toBe(weights - 20);
    const dropped = trainingMemory({shape: {...model, hasDropout: true}, precision: 'fp32'}, setup);
    expect(dropped.activationBytes - 4 * kept).toBe(4 * 8 + (8 + 16 + 8 + 8));
  });

  it('refuses a vocabulary and an optimizer that cannot be', () => {
    expect(() => trainingSetup({vocabulary: 1.5})).toThrow(
      'vocabulary must be a whole number from 0 to 4,294,967,296, not 1.5.',
    );
    expect(() => trainingSetup({vocabulary: 2 ** 32 + 1})).toThrow('from 0 to 4,294,967,296, not 4294967297.');
    expect(trainingSetup({vocabulary: 2 ** 32}).vocabulary).toBe(2 ** 32);
    expect(() => trainingSetup({optimizer: 'lion'})).toThrow('one of adam, momentum, sgd, none');
  });
});

describe('estimateBeside', () => {
  it('of a recorded run leaves exactly what the formulas do not know', async () => {
    const snapshot = await memoryOfFile(fixture, {});
    const memory = replayDevice(snapshot, 0);
    const events = JSON.parse(gunzipSync(readFileSync(fixture)).toString()) as {
      traceEvents: {name: string; ph: string; ts: number; dur: number; args?: {'Total Allocated'?: number}}[];
    };
    const forwards = events.traceEvents.filter(({name, ph}) => name === 'forward' && ph === 'X');
    const ends = forwards.map(({ts, dur}) => ts + dur);
    const allocations = events.traceEvents.filter(({name}) => name === '[memory]').sort((a, b) => a.ts - b.ts);
    // The end of the second step's forward: parameters, the optimizer's state and all that is kept for backward.
    const moment = allocations.filter(({ts}) => ts <= (ends[1] ?? NaN)).length;
    const estimated = trainingMemory({shape: recorded, precision: 'fp32'}, {...usualTraining, vocabulary: 50});
    const {rows, weights} = estimateBeside(estimated, categoryBytes(snapshot, memory, moment));
    const row = (part: string) => rows.find(one => one.part === part);
    expect(weights).toBe(15_872);
    expect(row('parameters')).toMatchObject({estimatedBytes: 4 * 15_872, measuredBytes: 4 * 15_872});
    // Each of 15 tensors counts its steps in four bytes.
    expect(row('optimizer state')).toMatchObject({estimatedBytes: 8 * 15_872, unexplainedBytes: 4 * 15});
    expect(row('gradients')).toMatchObject({measuredBytes: 0, unexplainedBytes: -4 * 15_872});
    // Three norms keep mean and deviation of 32 rows; the loss is a number, and keeps its weight.
    expect(row('activations')?.unexplainedBytes).toBe(3 * 2 * 32 * 4 + 2 * 4);
    // What is measured is what PyTorch counted, less the tokens, which were there before.
    const total = row('total');
    expect(total?.measuredBytes).toBe(memory.allocatedBytes[moment]);
    expect(total?.unexplainedBytes).toBe((total?.measuredBytes ?? NaN) - (total?.estimatedBytes ?? NaN));
  });

  it('does not tell parts that may lie before the history, and sums what has no formula', () => {
    const snapshot = snapshotOf(trainingSnapshot());
    const memory = replayDevice(snapshot, 0);
    const categories = categoryBytes(snapshot, memory, memory.eventCount);
    expect(categories.reduce((sum, {bytes}) => sum + bytes, 0)).toBe(memory.allocatedBytes.at(-1));
    const estimated = trainingMemory({shape: recorded, precision: 'fp32'}, usualTraining);
    const earlier = [
      {name: '(before the history)', bytes: 3 * estimated.parameterBytes},
      {name: 'OPTIMIZER_STATE', bytes: 7},
      {name: 'TEMPORARY', bytes: 5},
    ];
    const {rows, text} = estimateBeside(estimated, earlier);
    expect(rows.map(({part, measuredBytes, unexplainedBytes}) => [part, measuredBytes, unexplainedBytes])).toEqual([
      ['parameters', null, null],
      ['gradients', null, null],
      ['optimizer state', 7, 7 - estimated.optimizerBytes],
      ['activations', null, null],
      ['before the history', 3 * estimated.parameterBytes, null],
      ['other', 5, null],
      ['total', 3 * estimated.parameterBytes + 12, expect.any(Number)],
    ]);
    expect(text).toContain('is 3.00 times the estimated parameters');
  });
});
