import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {rooflineAnswer, type RooflineAnswer} from '../../../src/core/questions/roofline.js';
import {calibrate, calibratedSystem} from '../../../src/core/roofline/calibrate.js';
import {matchLayers} from '../../../src/core/roofline/model-layers.js';
import type {RooflineGrouping} from '../../../src/core/roofline/roofline-points.js';
import {noDetails} from '../../../src/core/figures/report-details.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import type {Selection} from '../../../src/core/scope/selection.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {shape, system} from '../../support/estimates.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {temporaryFolder} from '../../support/project.js';
import {dataFolder, hasData} from '../../support/real-data.js';
import {rooflineInput} from '../../support/read-roofline.js';
import {smallModelTrace} from '../../support/small-model-trace.js';

const folder = temporaryFolder();
const bf16 = 'c10::BFloat16';
const inputs = (...dims: number[][]) => ({dims, types: dims.map(() => bf16), values: []});

async function answerOf(
  path: string,
  model: string | null,
  by: RooflineGrouping = 'shape',
  selection: Selection = {},
): Promise<RooflineAnswer> {
  const trace = await openTrace(path);
  const details = await loadReportDetails(path, trace, new Set(['shapes', 'collectives']));
  return rooflineAnswer(trace, details, {by, system: null, model: model === null ? null : shape(model), selection});
}

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('matchLayers(shape, name, inputs, isBackward)', () => {
  const llama = shape('llama2-70b');
  it.each([
    ['qkv_proj', inputs([7, 8192], [8192, 8192 + 2 * 1024]), false],
    ['qkv_proj (keys, values)', inputs([7, 8192], [8192, 1024]), false],
    ['fc1', inputs([7, 8192], [8192, 2 * 28672]), false],
    ['fc1 (gate, up)', inputs([7, 8192], [8192, 28672]), false],
    ['fc2', inputs([7, 28672], [28672, 8192]), false],
    ['fc2', inputs([7, 8192], [8192, 28672]), true],
    ['fc1 (gate, up)', inputs([28672, 7], [7, 8192]), true],
  ])('finds %s by its shapes', (layer, given, isBackward) => {
    const matched = matchLayers(llama, 'aten::mm', given, isBackward);
    expect(matched?.layers).toContain(layer);
    expect(matched?.pass).toBe(isBackward ? 'backward' : 'forward');
  });

  it('names all layers with the same shapes', () => {
    expect(matchLayers(shape('bert-small'), 'aten::mm', inputs([7, 512], [512, 512]), false)?.layers).toEqual([
      'qkv_proj (queries)',
      'qkv_proj (keys, values)',
      'v_proj',
    ]);
  });

  it('finds nothing where no layer has the shapes', () => {
    expect(matchLayers(llama, 'aten::mm', inputs([7, 100], [100, 8192]), false)).toBeNull();
    expect(matchLayers(llama, 'aten::bmm', inputs([2, 7, 8192], [2, 8192, 8192]), false)).toBeNull();
    expect(matchLayers(llama, 'aten::native_layer_norm', inputs([7, 100]), false)).toBeNull();
    expect(matchLayers(llama, 'aten::embedding', inputs([7, 8192]), false)).toBeNull();
  });
});

describe('rooflineAnswer(trace, details, query)', () => {
  it('names a model with experts only where its router was seen', async () => {
    const base = smallModelTrace().replaceAll('2048', '3072').replaceAll('512', '768');
    const dense = await answerOf(fileOf('base.pt.trace.json', base), null);
    expect(dense.matchingModels).toContain('bert-base');
    expect(dense.matchingModels).not.toContain('fairseq-moe-15b');
    // A layer norm, which no model needs to be named, becomes the product that chooses one of 512 experts.
    const trace = JSON.parse(base) as {traceEvents: {name: string; args?: object}[]};
    for (const event of trace.traceEvents.filter(({name}) => name === 'aten::native_layer_norm')) {
      const dims = [
        [141, 768],
        [768, 512],
      ];
      Object.assign(event, {name: 'aten::mm', args: {...event.args, 'Input Dims': dims, 'Input type': [bf16, bf16]}});
    }
    const experts = await answerOf(fileOf('experts.pt.trace.json', JSON.stringify(trace)), null);
    expect(experts.matchingModels).toContain('fairseq-moe-15b');
  });

  const path = fileOf('small.pt.trace.json', smallModelTrace());

  it('sets layers beside what was predicted, with the model’s own name among those that fit', async () => {
    const {comparisons, matchingModels, systemId, precision} = await answerOf(path, 'bert-small');
    expect({matchingModels, systemId, precision}).toEqual({
      matchingModels: ['bert-small'],
      systemId: 'h100',
      precision: 'bf16',
    });
    expect(comparisons.map(({layers: [layer], count, measuredNs}) => [layer, count, measuredNs])).toEqual([
      ['qkv_proj (queries)', 8, 6000],
      ['fc2', 2, 9000],
      ['fc1', 2, 7000],
      ['layer_norm_1', 2, 3000],
      ['act', 2, 2000],
    ]);
    const [, fc2] = comparisons;
    const bytes = 2 * (512 + 141 * 2048 + 2048 * 512 + 141 * 512);
    expect(fc2?.predictedNs).toBeCloseTo((bytes / 3.35e12) * 1e9, 6);
  });

  it('has layers of the chosen model as points of their own, which lead to the source', async () => {
    const {marks} = await answerOf(path, 'bert-small');
    expect(marks.filter(({source}) => source === 'shapes')).toHaveLength(5);
    const ofModel = marks.filter(({source}) => source === 'model');
    expect(ofModel.map(({name, place, gpuWorkNs}) => [name, place, gpuWorkNs])).toEqual([
      ['qkv_proj (queries) or qkv_proj (keys, values) or v_proj (forward)', 'attention', 48_000],
      ['fc2 (forward)', 'mlp', 18_000],
      ['fc1 (forward)', 'mlp', 14_000],
      ['layer_norm_1 or layer_norm_2 (forward)', 'attention', 6000],
      ['act (forward)', 'mlp', 4000],
    ]);
  });

  it('is of a step, a window or a device, where one is selected', async () => {
    const of = async (selection: Selection) => {
      const {marks, comparisons, steps, ...answer} = await answerOf(path, 'bert-small', 'shape', selection);
      const counts = marks.filter(({source}) => source === 'shapes').map(({count}) => count);
      return {...answer, counts, layers: comparisons.map(({count}) => count), steps: steps.map(({number}) => number)};
    };
    const [all, step] = [await of({}), await of({step: 2})];
    expect(all.counts).toEqual([8, 2, 2, 2, 2]);
    expect(step).toMatchObject({counts: [4, 1, 1, 1, 1], layers: [4, 1, 1, 1, 1], steps: [2]});
    expect(step.allGpuWorkNs).toBe(all.allGpuWorkNs / 2);
    // What fits and what was measured is of the whole profile.
    expect(step).toMatchObject({matchingModels: all.matchingModels, calibration: all.calibration});
    expect((await of({device: 0})).counts).toEqual(all.counts);
    expect(await of({device: 1})).toMatchObject({counts: [], allGpuWorkNs: 0});
    await expect(of({step: 7})).rejects.toMatchObject({code: 'selection/no-match'});
  });

  it('has no figures for an operator that a window cuts, whose work counts all the same', async () => {
    const trace = await openTrace(path);
    const fromNs = trace.slices.startNs[trace.gpuOperations.slice[0] ?? -1] ?? NaN;
    const {marks, allGpuWorkNs, knownGpuWorkNs} = await answerOf(path, 'bert-small', 'shape', {
      fromNs,
      toNs: fromNs + 1000,
    });
    expect({marks, allGpuWorkNs, knownGpuWorkNs}).toEqual({marks: [], allGpuWorkNs: 1000, knownGpuWorkNs: 0});
  });

  it('chooses no model itself', async () => {
    expect((await answerOf(path, null)).comparisons).toEqual([]);
  });

  it('leads to a range whose line the source may have', async () => {
    const {marks} = await answerOf(path, null);
    expect(new Set(marks.map(({place}) => place))).toEqual(new Set(['attention', 'mlp']));
  });

  it('groups by range and by class of kernels', async () => {
    const byRange = await answerOf(path, 'bert-small', 'range');
    const ofShapes = byRange.marks.filter(({source}) => source === 'shapes');
    expect(ofShapes.map(({name, gpuWorkNs}) => [name, gpuWorkNs])).toEqual([
      ['attention', 54_000],
      ['mlp', 36_000],
    ]);
    const byClass = await answerOf(path, null, 'class');
    expect(byClass.marks.map(({name}) => name)).toEqual(['matrix product']);
  });

  it('takes the chosen model’s figures for ranges of its blocks where no shapes are recorded', async () => {
    const plain = fileOf('plain.pt.trace.json', smallModelTrace({hasShapes: false}));
    const {marks, hasShapes} = await answerOf(plain, 'bert-small', 'range');
    expect(hasShapes).toBe(false);
    expect(marks).toMatchObject([
      {name: 'attention (forward)', source: 'model', count: 2, gpuWorkNs: 54_000},
      {name: 'mlp (forward)', source: 'model', count: 2, gpuWorkNs: 36_000},
    ]);
    expect((await answerOf(plain, null, 'range')).marks).toEqual([]);
    const ofStep = await answerOf(plain, 'bert-small', 'range', {step: 1});
    expect(ofStep.marks.map(({count, gpuWorkNs}) => [count, gpuWorkNs])).toEqual([
      [1, 27_000],
      [1, 18_000],
    ]);
    // A window that holds a part of the ranges' work tells nothing of what the model says of whole ranges.
    expect((await answerOf(plain, 'bert-small', 'range', {fromNs: 0, toNs: 60_000})).marks).toEqual([]);
  });

  it('has nothing to say of a profile without details', async () => {
    const trace = await openTrace(path);
    expect(rooflineAnswer(trace, noDetails, {by: 'operator', system: 'v100', model: null})).toMatchObject({
      marks: [],
      steps: [],
      systemId: 'v100',
      isAssumed: false,
      calibration: {matrixFlopsPerSecond: {}, hbmBytesPerSecond: null, measured: []},
    });
  });
});

describe('calibrate(input)', () => {
  it('is operations and bytes over GPU work of large operators, and the fastest collective of a size', async () => {
    const collective = {
      'Collective name': 'allreduce',
      'In msg nelems': 1e6,
      'Out msg nelems': 1e6,
      'Group size': 4,
      dtype: 'Float',
    };
    const large = {'Input Dims': [[1e8], [1e8]], 'Input type': ['float', 'float']};
    const path = fileOf(
      'calibrate.json',
      kinetoText([
        kineto.op('aten::mm', 10, 10, {
          'Input Dims': [
            [2000, 1000],
            [1000, 1000],
          ],
          'Input type': [bf16, bf16],
        }),
        kineto.call(1, 12, 5),
        kineto.kernel(1, 60, 10),
        kineto.op('aten::mm', 22, 6, {
          'Input Dims': [
            [2, 1],
            [1, 1],
          ],
          'Input type': [bf16, bf16],
        }),
        kineto.call(2, 23, 3),
        kineto.kernel(2, 80, 10),
        kineto.op('aten::add', 30, 10, large),
        kineto.call(3, 32, 5),
        kineto.kernel(3, 100, 600),
        ...[4, 5].flatMap(id => [
          kineto.call(id, 10 * id, 5),
          {...kineto.kernel(id, 1000 * id, 100 * id, collective), name: 'ncclDevKernel_AllReduce_Sum_f32_RING_LL'},
        ]),
      ]),
    );
    const trace = await openTrace(path);
    const details = await loadReportDetails(path, trace, new Set(['shapes', 'collectives']));
    const input = {...(await rooflineInput(path)), trace, details};
    const measured = calibrate(input);
    expect(measured.matrixFlopsPerSecond).toEqual({bf16: 4e14});
    expect(measured.hbmBytesPerSecond).toBeCloseTo(1.2e9 / 600e-6, 3);
    // 4 MB among four GPUs: 1.5 times that over the faster call's 400 µs.
    expect(measured.measured).toEqual([
      {collective: 'allreduce', groupSize: 4, bytes: 6e6, bytesPerSecond: expect.closeTo(6e6 / 400e-6, 0) as number},
    ]);
    const calibrated = calibratedSystem(system('h100'), measured);
    expect(calibrated).toMatchObject({matrixFlopsPerSecond: {bf16: 4e14, fp16: 989.4e12}, nvlinkBytesPerSecond: 900e9});
  });
});

describe.skipIf(!hasData)('predicted against measured on real profiles', () => {
  it.each([
    ['qwen1.5-0.5b-h100', 'qwen1.5-0.5b', ['fc1 (gate, up)', 'fc2', 'flash_attention', 'act']],
    ['bert-small-h100', 'bert-small', ['fc1', 'fc2', 'flash_attention', 'act', 'layer_norm_1']],
    ['timesformer-h100-python-stacks', 'vit-base', ['qkv_proj', 'fc1', 'fc2', 'v_proj', 'act', 'layer_norm_1']],
  ])('%s has the layers of %s, none faster than its roof', async (name, model, expected) => {
    const {comparisons, matchingModels} = await answerOf(join(dataFolder, 'kineto', `${name}.json.gz`), model);
    expect(matchingModels).toContain(model);
    const layers = comparisons.flatMap(comparison => [...comparison.layers]);
    for (const layer of expected) expect(layers.some(found => found.startsWith(layer))).toBe(true);
    const {depth} = shape(model);
    for (const {predictedNs, measuredNs, count, layers: found} of comparisons) {
      expect(predictedNs).not.toBeNull();
      expect(measuredNs / (predictedNs ?? 0)).toBeGreaterThan(1);
      if (found[0] === 'fc2') expect(count % depth).toBe(0);
    }
  });
});
