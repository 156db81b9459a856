import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {
  aboveRoof,
  flopsPerSecondOf,
  intensityOf,
  roofline,
  type Roofline,
} from '../../../src/core/roofline/roofline-points.js';
import {rooflineNs, systemOfTrace} from '../../../src/core/roofline/roofs.js';
import {stepUtilisations} from '../../../src/core/roofline/step-utilisation.js';
import {system} from '../../support/estimates.js';
import {kineto, kinetoText, type KinetoEvent} from '../../support/kineto-events.js';
import {temporaryFolder} from '../../support/project.js';
import {readCsv} from '../../support/read-csv.js';
import {reportInput} from '../../../src/core/figures/report-input.js';
import {wholeTrace} from '../../../src/core/scope/report-scope.js';
import {reportOfFile, textRows} from '../../support/make-report.js';
import {rooflineInput} from '../../support/read-roofline.js';
import {dataFolder, hasData} from '../../support/real-data.js';

const folder = temporaryFolder();
const bf16 = 'c10::BFloat16';
const mm = (m: number, k: number, n: number, type = bf16) => ({
  'Input Dims': [
    [m, k],
    [k, n],
  ],
  'Input type': [type, type],
});

/** A file of events on an H100. */
function file(name: string, events: readonly KinetoEvent[], device = 'NVIDIA H100 80GB HBM3'): string {
  const path = join(folder, name);
  writeFileSync(path, kinetoText(events, {deviceProperties: [{id: 0, name: device}]}));
  return path;
}

const twoSteps = file('steps.json', [
  kineto.range('ProfilerStep#1', 0, 1000),
  kineto.op('aten::mm', 10, 40, mm(1000, 2000, 3000)),
  kineto.call(1, 12, 5),
  kineto.kernel(1, 60, 50),
  kineto.call(2, 20, 5),
  kineto.kernel(2, 120, 30, {}),
  kineto.op('aten::add', 100, 40, {
    'Input Dims': [
      [1000, 1000],
      [1000, 1000],
    ],
    'Input type': [bf16, bf16],
  }),
  kineto.call(3, 110, 5),
  kineto.kernel(3, 160, 10),
  kineto.op('aten::nonzero', 200, 40, {'Input Dims': [[10]], 'Input type': [bf16]}),
  kineto.call(4, 210, 5),
  kineto.kernel(4, 240, 20),
  kineto.range('ProfilerStep#2', 1000, 500),
  kineto.op('aten::mm', 1010, 40, mm(1000, 2000, 3000)),
  kineto.call(5, 1012, 5),
  kineto.kernel(5, 1060, 50),
]);

describe('roofline(input, by, system)', () => {
  it('has a point for each operator, with the work of all of its kernels', async () => {
    const {points, allGpuWorkNs, knownGpuWorkNs} = roofline(await rooflineInput(twoSteps), 'operator', system('h100'));
    expect(allGpuWorkNs).toBe(160_000);
    expect(knownGpuWorkNs).toBe(140_000);
    expect(points).toMatchObject([
      {name: 'aten::mm', precision: 'bf16', count: 2, matrixFlops: 2 * 12e9, gpuWorkNs: 130_000},
      {name: 'aten::add', precision: null, count: 1, vectorFlops: 1e6, bytes: 6e6, gpuWorkNs: 10_000},
    ]);
    const [product] = points;
    if (!product) throw new Error('no point');
    const bytes = 2 * (2e6 + 6e6 + 3e6);
    expect(intensityOf(product)).toBeCloseTo(12e9 / bytes, 9);
    expect(flopsPerSecondOf(product)).toBeCloseTo(24e9 / 130e-6, -3);
    expect(product.predictedNs).toBeCloseTo(2 * (12e9 / 989.4e12) * 1e9, 3);
    expect(points[1]?.predictedNs).toBeCloseTo((6e6 / 3.35e12) * 1e9, 3);
  });

  it('leaves the prediction out where the GPU is not known', async () => {
    const {points} = roofline(await rooflineInput(twoSteps), 'shape', null);
    expect(points.map(({predictedNs}) => predictedNs)).toEqual([null, null]);
    expect(points[0]?.shape).toBe('[1000, 2000] [2000, 3000]');
  });

  it('tells TF32 by the kernel’s name alone', async () => {
    const kernel = (correlation: number, name: string) => ({...kineto.kernel(correlation, 60 * correlation, 50), name});
    const path = file('tf32.json', [
      kineto.op('aten::mm', 10, 10, mm(8, 8, 8, 'float')),
      kineto.call(1, 12, 5),
      kernel(1, 'ampere_sgemm_128x128_tn'),
      kineto.op('aten::mm', 30, 10, mm(8, 8, 8, 'float')),
      kineto.call(2, 32, 5),
      kernel(2, 'cutlass_80_tensorop_s1688gemm_64x64'),
    ]);
    const {points} = roofline(await rooflineInput(path), 'operator', system('h100'));
    expect(points.map(({precision}) => precision)).toEqual(['fp32', 'tf32']);
  });

  it('takes no copy from the CPU for work of the roofs', async () => {
    const copy = {...kineto.kernel(1, 60, 50), cat: 'gpu_memcpy', name: 'Memcpy HtoD (Pageable -> Device)'};
    const dims = {'Input Dims': [[8], [8]], 'Input type': ['float', 'float']};
    const path = file('copy.json', [kineto.op('aten::copy_', 10, 10, dims), kineto.call(1, 12, 5), copy]);
    expect(roofline(await rooflineInput(path), 'operator', null)).toMatchObject({
      points: [],
      knownGpuWorkNs: 0,
      allGpuWorkNs: 50_000,
    });
  });

  it('takes damaged shapes for none', async () => {
    const damaged = [
      {'Input Dims': 'x'},
      {'Input Dims': [['a', {}], [-1]], 'Input type': [bf16, 3]},
      {'Input Dims': [[1e999]]},
    ];
    const path = file('damaged.json', [
      ...damaged.map((args, at) => kineto.op('aten::mm', 10 + 20 * at, 10, args)),
      ...damaged.flatMap((_, at) => [kineto.call(at + 1, 12 + 20 * at, 5), kineto.kernel(at + 1, 100 + 20 * at, 10)]),
    ]);
    expect(roofline(await rooflineInput(path), 'shape', null).points).toEqual([]);
  });
});

describe('stepUtilisations(input, system)', () => {
  it('is operations of products over what the peak allows in the step', async () => {
    const steps = stepUtilisations(await rooflineInput(twoSteps), system('h100'));
    expect(steps).toMatchObject([
      {durationNs: 1e6, gpus: 1, matrixFlops: 12e9, gpuWorkNs: 110_000, knownGpuWorkNs: 90_000},
      {durationNs: 5e5, gpus: 1, matrixFlops: 12e9},
    ]);
    expect(steps[0]?.utilisation).toBeCloseTo(12e9 / (989.4e12 * 1e-3), 12);
    expect(steps[1]?.utilisation).toBeCloseTo(12e9 / (989.4e12 * 0.5e-3), 12);
    expect(stepUtilisations(await rooflineInput(twoSteps), null)[0]?.utilisation).toBeNull();
  });
});

describe('stepUtilisations(input, system) of a part', () => {
  it('has none of a step of which only a part is asked, and clips its work', async () => {
    const whole = await rooflineInput(twoSteps);
    const part = reportInput({trace: whole.trace, details: whole.details, scope: {...wholeTrace, toNs: 100_000}});
    const [step] = stepUtilisations(part, system('h100'));
    expect(step?.utilisation).toBeNull();
    expect(step?.gpuWorkNs).toBeLessThan(110_000);
    expect(step?.knownGpuWorkNs).toBeLessThanOrEqual(step?.gpuWorkNs ?? 0);
  });
});

describe('rooflineNs(flops, bytes, precision, system)', () => {
  it('predicts nothing of products in a precision that is not told, or that the GPU does not multiply', () => {
    expect(rooflineNs({matrix: 1e12, vector: 0}, 0, null, system('v100'))).toBeNull();
    expect(rooflineNs({matrix: 0, vector: 0}, 9e8, null, system('v100'))).toBeCloseTo(1e6, -3);
  });
});

describe('systemOfTrace(trace)', () => {
  it.each([
    ['NVIDIA A100-PG509-200', {preset: {id: 'a100-40gb'}, isAssumed: true}],
    ['NVIDIA A100-SXM4-40GB', {preset: {id: 'a100-40gb'}, isAssumed: false}],
    ['NVIDIA H100 80GB HBM3', {preset: {id: 'h100'}, isAssumed: false}],
  ])('says whether it knows the memory of %s', async (name, expected) => {
    const path = file('device.json', [kineto.call(1, 12, 5), kineto.kernel(1, 60, 50)], name);
    expect(systemOfTrace((await rooflineInput(path)).trace)).toMatchObject(expected);
  });
});

describe.skipIf(!hasData)('the roofline of real profiles', () => {
  const real = async (name: string) => rooflineInput(join(dataFolder, 'kineto', `${name}.json.gz`));

  // TraceLens's own figures for these files: GPU time of the kernels that each operator launched itself.
  it.each([
    ['bert-small-h100', 'bert-h100'],
    ['timesformer-h100-python-stacks', 'timesformer-h100'],
    ['qwen1.5-0.5b-h100', 'qwen-h100'],
  ])('%s has the work of operators that TraceLens has', async (name, expected) => {
    const input = await real(name);
    const {points} = roofline(input, 'operator', system('h100'));
    const rows = readCsv(readFileSync(join(dataFolder, 'kineto', 'expected', expected, 'ops_summary.csv'), 'utf8'));
    const theirs = new Map(rows.map(row => [row['name'], Number(row['total_direct_kernel_time_sum'])]));
    let compared = 0;
    for (const operator of [
      'aten::mm',
      'aten::addmm',
      'aten::bmm',
      'aten::_flash_attention_forward',
      'aten::native_layer_norm',
    ]) {
      const work = sum(points.filter(point => point.name === operator));
      const time = theirs.get(operator);
      if (time === undefined) continue;
      expect(Math.abs(work / 1000 - time)).toBeLessThan(0.0005 * rows.length + 1e-3 * time);
      compared++;
    }
    expect(compared).toBeGreaterThan(2);
  });

  it('keeps large products below their roof', async () => {
    const {points} = roofline(await real('qwen1.5-0.5b-h100'), 'shape', system('h100'));
    const products = points.filter(({matrixFlops, count}) => matrixFlops / count > 1e9);
    expect(products).toHaveLength(5);
    for (const {predictedNs, gpuWorkNs} of products) {
      expect((predictedNs ?? 0) / gpuWorkNs).toBeGreaterThan(0.1);
      expect((predictedNs ?? 0) / gpuWorkNs).toBeLessThan(1);
    }
  });

  it('finds the GPU of each', async () => {
    expect(systemOfTrace((await real('train-resnet18-ddp-mi300')).trace)?.preset.id).toBe('mi300x');
    expect(systemOfTrace((await real('resnet50-v100-2021')).trace)?.preset.id).toBe('v100');
    expect(systemOfTrace((await real('gpu-only-mi210')).trace)).toBeNull();
  });

  it('has no points where no shapes were recorded', async () => {
    const {points, hasShapes, allGpuWorkNs} = roofline(await real('alexnet-cuda-sync'), 'operator', null);
    expect({points, hasShapes}).toEqual({points: [], hasShapes: false});
    expect(allGpuWorkNs).toBeGreaterThan(0);
  });
});

describe('roofline_sum', () => {
  it('is of all GPU work, with what shapes do not tell in the last row', async () => {
    const report = await reportOfFile(twoSteps, 'roofline_sum');
    const rows = textRows(report);
    expect(rows.map(row => [row['Operator'], row['Total Time (ns)'], row['Time (%)']])).toEqual([
      ['aten::mm', '130000', '81.25'],
      ['aten::add', '10000', '6.25'],
      ['(shapes do not tell)', '20000', '12.50'],
    ]);
    expect(report.rows.footer).toEqual(['87.5 % of all GPU work has shapes that tell its operations and bytes.']);
  });

  it('says of operators that took less time than the roof allows that they are above it', async () => {
    const path = file('above.json', [
      kineto.op('aten::mm', 10, 10, mm(1000, 2000, 3000)),
      kineto.call(1, 12, 5),
      kineto.kernel(1, 60, 1),
      kineto.op('aten::mm', 30, 10, mm(2000, 2000, 3000)),
      kineto.call(2, 32, 5),
      kineto.kernel(2, 80, 500),
    ]);
    const rows = textRows(await reportOfFile(path, 'roofline_sum'));
    expect(rows.map(row => [row['Of Roof (%)'], row['Note']])).toEqual([
      ['4.9', ''],
      ['1212.9', aboveRoof],
    ]);
  });

  it.each(['roofline_sum', 'mfu_sum', 'precision_sum'])(
    'as %s does not say that there are no shapes where there are',
    async name => {
      const path = file('other-shapes.json', [
        kineto.op('aten::nonzero', 10, 10, {'Input Dims': [[10]], 'Input type': [bf16]}),
        kineto.call(1, 12, 5),
        kineto.kernel(1, 60, 50),
      ]);
      const {rows} = await reportOfFile(path, name);
      expect(rows.length).toBe(0);
      expect(rows.absent).toMatch(/ shapes tell.*: it has shapes of others$/);
      const plain = file('no-shapes.json', [
        kineto.op('aten::mm', 10, 10),
        kineto.call(1, 12, 5),
        kineto.kernel(1, 60, 50),
      ]);
      expect((await reportOfFile(plain, name)).rows.absent).toBeUndefined();
    },
  );
});

function sum(points: Roofline['points']): number {
  return points.reduce((total, {gpuWorkNs, unknownGpuWorkNs}) => total + gpuWorkNs + unknownGpuWorkNs, 0);
}
