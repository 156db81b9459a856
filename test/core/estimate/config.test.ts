import {describe, expect, it} from 'vitest';
import {estimate} from '../../../src/core/estimate/estimate.js';
import {estimateConfig, estimateInput, mergeConfigs} from '../../../src/core/estimate/estimate-config.js';
import {EstimateError} from '../../../src/core/estimate/estimate-error.js';
import {systemAsConfig, systemConfig} from '../../../src/core/estimate/system-config.js';
import {systemOfDevice, systemPresets} from '../../../src/core/estimate/system-presets.js';

const input = (value: unknown) => estimateInput(estimateConfig(value));
const run = (value: unknown) => estimate(input(value));

describe('estimateConfig(value)', () => {
  it('takes presets by name, and the usual values for the rest', () => {
    expect(input({model: 'gpt3-175b', system: 'h100'})).toMatchObject({
      shape: {embedding: 12288},
      system: {hbmBytesPerSecond: 3.35e12},
      parallelism: {kind: '1D', tensor: 1, sequence: 1, expert: 1},
      precision: 'fp16',
      variant: 'corrected',
    });
  });

  it('takes figures in the place of a preset’s, and changes what follows from them', () => {
    const {shape} = input({model: {preset: 'llama2-70b', embedding: 4096, heads: 32, length: 10}, system: 'h100'});
    expect(shape).toMatchObject({
      embedding: 4096,
      hidden: 14336,
      heads: 32,
      keyValueHeads: 4,
      headWidth: 128,
      length: 10,
    });
  });

  it('takes a model without a preset', () => {
    const {shape} = input({model: {length: 8, embedding: 64, heads: 4, depth: 2, isCausal: true}, system: 'v100'});
    expect(shape).toMatchObject({batch: 1, hidden: 256, keyValueHeads: 4, headWidth: 16, isCausal: true});
  });

  it('reads back the system that it writes', () => {
    const measured = [{collective: 'allgather', groupSize: 4, bytes: null, bytesPerSecond: 2e9}] as const;
    for (const {system} of systemPresets) {
      const given = {...system, measured};
      expect(systemConfig(JSON.parse(JSON.stringify(systemAsConfig(given))))).toEqual(given);
    }
  });

  it('lets later figures win, part by part', () => {
    const base = estimateConfig({model: {preset: 'gpt3-175b', batch: 2}, parallelism: {tensor: 4}});
    const merged = mergeConfigs(base, estimateConfig({model: {batch: 3}, system: 'h200', parallelism: {sequence: 1}}));
    expect(estimateInput(merged)).toMatchObject({shape: {batch: 3, heads: 96}, parallelism: {tensor: 4, sequence: 1}});
  });

  it('keeps no degree of another kind of parallelism', () => {
    const base = estimateConfig({model: 'gpt3-175b', system: 'h100', parallelism: {tensor: 4}});
    const merged = mergeConfigs(base, estimateConfig({parallelism: {kind: '2D', rows: 2, columns: 2}}));
    expect(estimateInput(merged).parallelism).toEqual({kind: '2D', rows: 2, columns: 2, depth: 1});
  });

  it.each([
    [[], 'The estimate must be an object.'],
    [{modle: 1}, 'The estimate has no "modle": its keys are model, system, parallelism, precision, variant.'],
    [{model: {batch: '1'}}, 'The model’s batch must be a number.'],
    [{model: {preset: 'gpt9'}}, /^The model’s preset must be one of gpt3-175b, /],
    [{model: 'gpt9'}, /^There is no model "gpt9": there are gpt3-175b, /],
    [{model: {isCausal: 1}}, 'The model’s isCausal must be true or false.'],
    [{model: {length: 1}, system: 'h100'}, 'A model needs a preset, or its length, embedding, heads and depth.'],
    [{model: 'gpt3-175b'}, 'A system needs a preset, or all of its figures: hbmGBps is not there.'],
    [{model: 'gpt3-175b', system: 'abacus'}, /^There is no system "abacus": there are v100, /],
    [{system: {matrixTflops: {fp12: 1}}}, /^The system’s matrixTflops has no "fp12": /],
    [{system: {measured: 3}}, 'The system’s measured must be a list.'],
    [{system: {measured: [{}]}}, 'Each of the system’s measured needs collective, groupSize and GBps.'],
    [{model: 'gpt3-175b', system: {preset: 'h100', hbmGBps: 0}}, /must be above 0/],
    [
      {model: {preset: 'gpt3-175b', heads: 7}, system: 'h100'},
      /^headWidth must be a whole number from 1 to 1,099,511,627,776, not 1755/,
    ],
    [
      {model: {preset: 'gpt3-175b', batch: 1e30}, system: 'h100'},
      /^batch must be a whole number from 1 to 1,099,511,627,776, not 1e\+30/,
    ],
    [
      {model: 'gpt3-175b', system: 'h100', parallelism: {tensor: 5}},
      'hidden (49152) must be a multiple of tensor parallelism (5).',
    ],
    [
      {model: 'gpt3-175b', system: 'h100', parallelism: {expert: 2}},
      'Expert parallelism needs a model with expertLayers.',
    ],
    [
      {model: 'gpt3-175b', system: 'h100', parallelism: {kind: '2D', rows: 2}},
      'batch (1) must be a multiple of the grid’s rows × depth (2).',
    ],
    [{model: 'mixtral-8x7b', system: 'h100', parallelism: {kind: '3D'}}, /^Experts are estimated with 1D parallelism/],
    [{model: 'llama2-7b', system: 'h100', variant: 'printed'}, /^The variant printed knows plain layers/],
    [
      {model: 'gpt3-175b', system: 'v100', precision: 'fp8'},
      'The system does not multiply fp8: choose another precision.',
    ],
  ])('refuses %j in one sentence', (value, message) => {
    expect(() => run(value)).toThrow(EstimateError);
    expect(() => run(value)).toThrow(message);
  });
});

describe('systemOfDevice(name)', () => {
  it.each([
    ['Tesla V100-SXM2-32GB', 'v100'],
    ['Tesla V100-PCIE-16GB', null],
    ['Tesla V100-FHHL-16GB', null],
    ['NVIDIA A100-SXM4-80GB', 'a100-80gb'],
    ['NVIDIA A100-SXM4-40GB', 'a100-40gb'],
    ['NVIDIA A100-SXM-64GB', null],
    ['NVIDIA A100-SXM4-40GB MIG 1g.5gb', null],
    ['NVIDIA H100 80GB HBM3 MIG 3g.40gb', null],
    ['NVIDIA H100 80GB HBM3', 'h100'],
    ['NVIDIA H100 PCIe', null],
    ['NVIDIA H200', 'h200'],
    ['NVIDIA GH200 480GB', null],
    ['NVIDIA B200', 'b200'],
    ['AMD Instinct MI300X', 'mi300x'],
    ['Tesla T4', null],
    [null, null],
  ])('knows %s as %s', (name, id) => {
    expect(systemOfDevice(name)?.id ?? null).toBe(id);
  });
});
