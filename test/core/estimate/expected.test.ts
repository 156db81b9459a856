import {describe, expect, it} from 'vitest';
import type {EstimatedLayer} from '../../../src/core/estimate/estimate.js';
import {estimateTable, type EstimateColumn} from '../../../src/core/estimate/estimate-table.js';
import {estimateOf, line, shape} from '../../support/estimates.js';

const gpt3 = shape('gpt3-175b');
const corrected = estimateOf(gpt3, line(4));

function tableOf(name: string, result = corrected) {
  const block = result.blocks.find(candidate => candidate.name === name);
  if (!block) throw new Error(`no ${name}`);
  return estimateTable(block);
}

function cell(layer: string, column: EstimateColumn, result = corrected): unknown {
  const rows = ['mlp', 'attention'].flatMap(name => tableOf(name, result).rows);
  return rows.find(row => row.layer === layer)?.[column];
}

describe('estimate(…), printed, to full precision', () => {
  const printed = estimateOf(gpt3, line(4), {variant: 'printed'});

  it.each([
    ['fc1', 'flops_fwd', 0.618475290624],
    ['fc1', 'flops_bwd', 1.236799586304],
    ['fc1', 'total_mem_bwd', 0.755023872],
    ['act', 'flops_fwd', 2.5165824e-5],
    ['layer_norm_1', 'flops_bwd', 8.1788928e-5],
    ['logits', 'flops_fwd', 0.0256691404],
    ['logits', 'flops_bwd', 0.0515270246],
    ['softmax', 'flops_fwd', 0.000301940736],
    ['softmax', 'flops_bwd', 0.000402604032],
    ['attend', 'flops_bwd', 0.0514326528],
    ['attend', 'total_mem_bwd', 0.427819008],
    ['v_proj', 't_total_fwd', 0.57945923],
    ['dropout_softmax', 'total_mem_fwd', 0.50331648],
  ] as const)('has %s %s %d', (layer, column, value) => {
    expect(cell(layer, column, printed)).toBeCloseTo(value, 9);
  });
});

describe('estimate(…), corrected', () => {
  it.each([
    ['fc1', 'flops_bwd', 1.236818460672],
    ['fc1', 'flops_fwd', 0.618475290624],
    ['fc2', 'flops_fwd', 0.618494164992],
    ['fc2', 'flops_bwd', 1.236799586304],
    ['qkv_proj', 'flops_bwd', 0.927593398272],
    ['v_proj', 'flops_fwd', 0.154637697024],
    ['fc1', 'comm_bwd', 0.037748736],
    ['fc1', 't_comm_bwd', 0.06291456],
  ] as const)('has %s %s %d', (layer, column, value) => {
    expect(cell(layer, column)).toBeCloseTo(value, 12);
  });

  it('has the sums over 96 layers', () => {
    const digits = (name: string) =>
      Object.fromEntries(Object.entries(tableOf(name).sums).map(([key, value]) => [key, Number(value.toFixed(6))]));
    expect(digits('mlp')).toMatchObject({
      flops_fwd: 118.754504,
      flops_bwd: 237.472768,
      t_total_fwd: 402.570653,
      t_total_bwd: 785.233595,
      t_comm_fwd: 6.039798,
      t_comm_bwd: 12.079596,
    });
    expect(digits('attention')).toMatchObject({
      flops_fwd: 64.361288,
      flops_bwd: 128.682718,
      t_total_fwd: 297.371769,
      t_total_bwd: 496.667119,
      t_comm_fwd: 18.119393,
      t_comm_bwd: 12.079596,
    });
  });

  it('spends the expected part in communication, to the last bit', () => {
    expect(tableOf('mlp').commFraction).toBe(0.015003075157270443);
    expect(tableOf('attention').commFraction).toBe(0.06093178687965916);
  });

  it('has GPT-3’s weights, and about 2·N·tokens + 4·depth·l²·e operations forward', () => {
    const weights = (corrected.total.weightBytes / 2) * 4;
    expect(weights).toBeCloseTo(173.98e9, -7);
    const {length, embedding, depth} = gpt3;
    const rough = 2 * weights * length + 4 * depth * length ** 2 * embedding;
    expect(Math.abs((corrected.total.forwardFlops * 4) / rough - 1)).toBeLessThan(0.005);
  });

  it('takes InfiniBand where a group does not fit into the NVLink domain', () => {
    const wide = estimateOf(gpt3, line(8));
    expect(cell('fc1', 'comm_topology', wide)).toBe('ib');
    expect(cell('fc1', 't_comm_bwd', wide)).toBeCloseTo((0.050331648 * (7 / 8) * 1e3) / 100, 12);
  });

  it('splits norms and the last dropout by the degree of sequence parallelism alone', () => {
    const split = estimateOf(gpt3, line(4, 2));
    expect(cell('layer_norm_1', 'activation_in_mem', split)).toBeCloseTo(0.025165824, 12);
    expect(cell('layer_norm_1', 'comm_fwd', split)).toBeCloseTo(0.025165824, 12);
    expect(cell('layer_norm_1', 'comm_size', split)).toBe(2);
    expect(cell('dpr2', 'activation_in_mem', split)).toBeCloseTo(0.025165824, 12);
    expect(cell('fc2', 'comm_size', split)).toBe(4);
  });

  it('sums with an all-reduce, twice the volume, where sequences are not split', () => {
    const whole = estimateOf(gpt3, line(4, 1));
    expect(cell('fc2', 'comm_fwd_type', whole)).toBe('allreduce');
    expect(cell('fc2', 'comm_fwd', whole)).toBeCloseTo(2 * 0.037748736, 12);
    expect(cell('layer_norm_1', 'comm_fwd', whole)).toBeNull();
  });

  it('uses a measured bandwidth where there is one of the operation and the group', () => {
    const a100 = corrected.input.system;
    const measured = [
      {collective: 'reducescatter', groupSize: 4, bytes: null, bytesPerSecond: 60e9},
      {collective: 'allgather', groupSize: 8, bytes: null, bytesPerSecond: 1},
      {collective: 'allgather', groupSize: 4, bytes: 1e3, bytesPerSecond: 1e9},
      {collective: 'allgather', groupSize: 4, bytes: 4e7, bytesPerSecond: 120e9},
    ] as const;
    const result = estimateOf(gpt3, line(4), {on: {...a100, measured}});
    expect(cell('fc1', 't_comm_bwd', result)).toBeCloseTo(0.6291456, 12);
    expect(cell('dpr2', 't_comm_bwd', result)).toBeCloseTo(0.3145728, 12);
  });

  it('has 4,050 tokens for images of 720 × 1440 pixels in patches of 16', () => {
    expect(shape('image-720x1440')).toMatchObject({length: 4050, embedding: 12288, heads: 96, depth: 96});
  });
});

describe('a layer’s time', () => {
  it('is the longer of computing and moving, and communication on top', () => {
    const all: EstimatedLayer[] = corrected.blocks.flatMap(({layers}) => [...layers]);
    for (const {time} of all.flatMap(({time: {forward, backward}}) => [{time: forward}, {time: backward}])) {
      expect(time.localMs).toBe(Math.max(time.computeMs, time.memoryMs));
      expect(time.totalMs).toBe(time.localMs + time.communicationMs);
    }
    expect(all).toHaveLength(14);
  });
});
