import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {workingOperators} from '../../../src/core/roofline/costed-operators.js';
import {modelLayerPoints} from '../../../src/core/roofline/model-layer-points.js';
import type {RooflinePoint} from '../../../src/core/roofline/roofline-points.js';
import {shape, system} from '../../support/estimates.js';
import {kineto, kinetoText, type KinetoEvent} from '../../support/kineto-events.js';
import {temporaryFolder} from '../../support/project.js';
import {dataFolder, hasData} from '../../support/real-data.js';
import {rooflineInput} from '../../support/read-roofline.js';

const folder = temporaryFolder();
const [tokens, e, f] = [100, 512, 2048];

/** One operator: its name, inputs and the µs of its kernel; on autograd's thread where it is backward. */
type Work = readonly [name: string, dims: readonly (readonly number[])[], us: number, isBackward?: boolean];

async function pointsOf(id: string, work: readonly Work[]): Promise<RooflinePoint[]> {
  const link = {'Sequence number': 3};
  const events = work.flatMap(([name, dims, us, isBackward = false], at): KinetoEvent[] => {
    const atUs = 1000 * (at + 1);
    const thread = isBackward ? 200 : 100;
    // The ninth input of fused attention, cuDNN’s eleventh, says whether its mask is causal.
    const shapes = {
      'Input Dims': dims,
      'Input type': dims.map(() => 'c10::BFloat16'),
      'Concrete Inputs': ['', '', '', '', '', '', '', '', 'False', '', 'False'],
    };
    const evaluate = 'autograd::engine::evaluate_function: AddmmBackward0';
    return [
      ...(isBackward ? [kineto.op(evaluate, atUs, 500, {...link, 'Fwd thread id': 1}, thread)] : []),
      kineto.op(name, atUs + 10, 400, isBackward ? shapes : {...shapes, ...link, 'Fwd thread id': 0}, thread),
      {...kineto.call(at + 1, atUs + 20, 5), tid: thread} as KinetoEvent,
      kineto.kernel(at + 1, atUs + 40, us),
    ];
  });
  const path = join(folder, `${String(Math.random()).slice(2)}.json`);
  writeFileSync(path, kinetoText(events, {deviceProperties: [{id: 0, name: 'NVIDIA H100 80GB HBM3'}]}));
  const input = await rooflineInput(path);
  return modelLayerPoints(input, workingOperators(input).operators, shape(id), system('h100'));
}

describe('modelLayerPoints(input, operators, shape, system)', () => {
  it('has the model’s operations and bytes for as many tokens as ran, and the time that they took', async () => {
    const [point, ...others] = await pointsOf('bert-small', [
      ['aten::addmm', [[f], [tokens, e], [e, f]], 7],
      ['aten::addmm', [[f], [tokens, e], [e, f]], 9],
    ]);
    expect(others).toEqual([]);
    // docs/estimate.md#layers: rf(2e − 1) + rf with a bias; input, output, weight and bias once each.
    const bytes = 2 * (tokens * e + tokens * f + e * f + f);
    expect(point).toMatchObject({
      name: 'fc1 (forward)',
      shape: '[2048] [100, 512] [512, 2048]',
      precision: 'bf16',
      count: 2,
      matrixFlops: 2 * (tokens * f * (2 * e - 1) + tokens * f),
      vectorFlops: 0,
      bytes: 2 * bytes,
      gpuWorkNs: 16_000,
    });
    expect(point?.predictedNs).toBeCloseTo((2 * bytes * 1e9) / 3.35e12, 6);
  });

  it('has one point for both products of a backward pass', async () => {
    const points = await pointsOf('bert-small', [
      ['aten::addmm', [[f], [tokens, e], [e, f]], 5],
      [
        'aten::mm',
        [
          [tokens, f],
          [f, e],
        ],
        6,
        true,
      ],
      [
        'aten::mm',
        [
          [f, tokens],
          [tokens, e],
        ],
        7,
        true,
      ],
    ]);
    expect(points.map(({name, count, gpuWorkNs}) => [name, count, gpuWorkNs])).toEqual([
      ['fc1 (backward)', 1, 13_000],
      ['fc1 (forward)', 1, 5000],
    ]);
    // re(2f − 1) + ef(2r − 1), + rf with a bias.
    expect(points[0]?.matrixFlops).toBe(tokens * e * (2 * f - 1) + e * f * (2 * tokens - 1) + tokens * f);
  });

  it('has no point for half of a backward pass', async () => {
    expect(
      await pointsOf('bert-small', [
        [
          'aten::mm',
          [
            [f, tokens],
            [tokens, e],
          ],
          7,
          true,
        ],
      ]),
    ).toEqual([]);
    expect(
      await pointsOf('bert-small', [
        [
          'aten::mm',
          [
            [tokens, f],
            [f, e],
          ],
          7,
          true,
        ],
      ]),
    ).toEqual([]);
  });

  it('has norms and activations where the model has them as the operator does', async () => {
    const work: Work[] = [
      ['aten::native_layer_norm', [[1, tokens, e]], 3],
      ['aten::gelu', [[1, tokens, f]], 2],
    ];
    expect((await pointsOf('bert-small', work)).map(({name, vectorFlops}) => [name, vectorFlops])).toEqual([
      ['layer_norm_1 or layer_norm_2 (forward)', 9 * tokens * e],
      ['act (forward)', tokens * f],
    ]);
    // Qwen's norm is no layer norm, and its activation is more than the function.
    const qwen: Work[] = [
      ['aten::native_layer_norm', [[1, tokens, 1024]], 3],
      ['aten::silu', [[1, tokens, 2816]], 2],
    ];
    expect(await pointsOf('qwen1.5-0.5b', qwen)).toEqual([]);
  });

  it('has attention over as many keys as queries alone', async () => {
    const query = [2, tokens, 8, 64];
    const longer = [2, tokens + 28, 8, 64];
    const run = (keys: number[]) =>
      pointsOf('bert-small', [['aten::_flash_attention_forward', [query, keys, keys], 4]]);
    const [point] = await run(query);
    // Two products over all pairs, one operation less an output: 2·b·h·l²·q each.
    expect(point?.name).toBe('flash_attention (forward)');
    expect((point?.matrixFlops ?? 0) / (4 * 2 * 8 * tokens * tokens * 64)).toBeCloseTo(1, 1);
    expect(await run(longer)).toEqual([]);
    // cuDNN's operator has the heads before the tokens.
    const headsFirst = [2, 8, tokens, 64];
    const ofCudnn: Work[] = [['aten::_cudnn_attention_forward', [headsFirst, headsFirst, headsFirst], 4]];
    expect((await pointsOf('bert-small', ofCudnn))[0]?.matrixFlops).toBe(point?.matrixFlops);
  });
});

describe.skipIf(!hasData)('modelLayerPoints of real profiles', () => {
  it.each([
    ['qwen1.5-0.5b-h100', 'qwen1.5-0.5b', ['fc1 (gate, up)', 'fc2', 'flash_attention']],
    ['bert-small-h100', 'bert-small', ['fc1', 'fc2', 'flash_attention', 'act', 'layer_norm_1']],
    ['timesformer-h100-python-stacks', 'vit-base', ['qkv_proj', 'fc1', 'fc2', 'v_proj', 'act']],
  ])('%s: layers of %s lie under their roofs, near what shapes say', async (name, id, expected) => {
    const input = await rooflineInput(join(dataFolder, 'kineto', `${name}.json.gz`));
    const {operators} = workingOperators(input);
    const points = modelLayerPoints(input, operators, shape(id), system('h100'));
    for (const layer of expected) expect(points.map(point => point.name).join()).toContain(layer);
    const costs = new Map(operators.map(operator => [operator.slice, operator.cost]));
    for (const {slice, count, matrixFlops, predictedNs, gpuWorkNs} of points) {
      expect(predictedNs ?? NaN).toBeLessThan(gpuWorkNs);
      // PyTorch's counter has 2k operations an output, the model 2k − 1 and a bias.
      const byShapes = costs.get(slice)?.flops.matrix ?? 0;
      if (byShapes > 0) expect(matrixFlops / count / byShapes).toBeCloseTo(1, 1);
    }
  });
});
