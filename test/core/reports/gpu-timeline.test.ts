import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {kernelClass} from '../../../src/core/names/kernel-class.js';
import {overlapNs, unionOf} from '../../../src/core/trace/interval-sets.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {reportOfTrace, textRows} from '../../support/make-report.js';
import {seededRandom} from '../../support/random.js';
import {readCsv} from '../../support/read-csv.js';
import {dataFolder, hasData} from '../../support/real-data.js';
import {traceFromText} from '../../support/trace-from-text.js';

const expected = (name: string) => readFileSync(join(dataFolder, 'kineto', 'expected', name), 'utf8');

describe('gpu_timeline', () => {
  it('counts each moment once, and tells what the GPU waited for', () => {
    const trace = traceFromText(`
      call            A B     C  D
      stream 7          AAA     CC   DD  e
      memcpy 8            BBB
    `);
    expect(textRows(reportOfTrace(trace, 'gpu_timeline'))).toEqual([
      {
        Device: '(0)',
        'Span (ns)': '18000',
        'Busy (ns)': '10000',
        'Idle (ns)': '8000',
        'Computation (ns)': '8000',
        'Total Comm (ns)': '0',
        'Exposed Comm (ns)': '0',
        'Total Memcpy (ns)': '3000',
        'Exposed Memcpy (ns)': '2000',
        // Before C the GPU ends at 7 µs and the call begins at 8 µs; D's call begins while C runs; nobody calls e.
        'Idle Not Launched (ns)': '1000',
        'Idle Launching (ns)': '2000',
        'Idle Queued (ns)': '3000',
        'Idle Unknown (ns)': '2000',
        Gaps: '3',
      },
    ]);
  });

  it.skipIf(!hasData).each(['gpu-only-mi210', 'bert-h100', 'timesformer-h100', 'qwen-h100'])(
    'of %s has TraceLens’s figures to 4 decimals of a ms',
    async name => {
      const files: Readonly<Record<string, string>> = {
        'bert-h100': 'bert-small-h100',
        'timesformer-h100': 'timesformer-h100-python-stacks',
        'qwen-h100': 'qwen1.5-0.5b-h100',
      };
      const trace = await openTrace(join(dataFolder, 'kineto', `${files[name] ?? name}.json.gz`));
      // TraceLens leaves out what has no launching call.
      const [ours = {}] = textRows(reportOfTrace(trace, 'gpu_timeline:launched'));
      const theirs = Object.fromEntries(
        readCsv(expected(`${name}/gpu_timeline.csv`)).map(row => [
          row['type'] ?? '',
          Number(row['time ms']).toFixed(4),
        ]),
      );
      const ms = (column: string) => (Number(ours[column]) / 1e6).toFixed(4);
      expect({
        computation_time: ms('Computation (ns)'),
        exposed_comm_time: ms('Exposed Comm (ns)'),
        exposed_memcpy_time: ms('Exposed Memcpy (ns)'),
        busy_time: ms('Busy (ns)'),
        total_comm_time: ms('Total Comm (ns)'),
        total_memcpy_time: ms('Total Memcpy (ns)'),
      }).toEqual({...theirs, idle_time: undefined, total_time: undefined});
    },
  );
});

describe.skipIf(!hasData)('cuda_gpu_kern_sum', () => {
  it.each([
    ['bert-small-h100', 'bert-h100'],
    ['qwen1.5-0.5b-h100', 'qwen-h100'],
    ['timesformer-h100-python-stacks', 'timesformer-h100'],
    ['gpu-only-mi210', 'gpu-only-mi210'],
  ])('of %s has the kernels of TraceLens’s summary', async (file, folder) => {
    const trace = await openTrace(join(dataFolder, 'kineto', `${file}.json.gz`));
    const ours = new Map(textRows(reportOfTrace(trace, 'cuda_gpu_kern_sum')).map(row => [row['Name'], row]));
    const theirs = new Map<string, {us: number; count: number; min: number; max: number}>();
    for (const row of readCsv(expected(`${folder}/kernel_summary.csv`))) {
      const name = row['Kernel name'] ?? '';
      const known = theirs.get(name) ?? {us: 0, count: 0, min: Infinity, max: 0};
      theirs.set(name, {
        us: known.us + Number(row['Kernel duration (µs)_sum']),
        count: known.count + Number(row['Kernel duration (µs)_count']),
        min: Math.min(known.min, Number(row['Kernel duration (µs)_min'])),
        max: Math.max(known.max, Number(row['Kernel duration (µs)_max'])),
      });
    }
    const kernels = [...theirs].filter(([name]) => !name.startsWith('Mem'));
    expect(kernels.length).toBe(ours.size);
    for (const [name, {us, count, min, max}] of kernels) {
      const row = ours.get(name) ?? {};
      expect([name, row['Instances'], row['Min (ns)'], row['Max (ns)']]).toEqual([
        name,
        String(count),
        String(Math.round(min * 1000)),
        String(Math.round(max * 1000)),
      ]);
      expect(Math.abs(Number(row['Total Time (ns)']) - us * 1000)).toBeLessThan(1);
    }
  });

  it('has the kernels of the TensorBoard plugin’s view', async () => {
    const trace = await openTrace(join(dataFolder, 'kineto', 'resnet50-v100-2021.json.gz'));
    const ours = new Map(textRows(reportOfTrace(trace, 'cuda_gpu_kern_sum')).map(row => [row['Name'], row]));
    const [, , , view = ''] = expected('resnet50-v100-2021.tb-plugin.jsonl').split('\n');
    const {data} = JSON.parse(view) as {data: {columns: {name: string}[]; rows: (string | number)[][]}};
    const at = (name: string) => data.columns.findIndex(column => column.name === name);
    expect(data.rows.length).toBe(67);
    for (const cells of data.rows) {
      const row = ours.get(String(cells[at('Name')])) ?? {};
      const us = (column: string) => Number(row[column]) / 1000;
      expect([row['Instances'], us('Total Time (ns)'), us('Max (ns)'), us('Min (ns)')]).toEqual([
        String(cells[at('Calls')]),
        cells[at('Total Duration (us)')],
        cells[at('Max Duration (us)')],
        cells[at('Min Duration (us)')],
      ]);
    }
  });
});

describe('unionOf(intervals) and overlapNs(a, b)', () => {
  it('agree with counting moments one by one', () => {
    const random = seededRandom(3);
    const intervals = () => {
      const starts = Array.from({length: 30}, () => Math.floor(random() * 200)).sort((a, b) => a - b);
      const durationNs = Float64Array.from(starts, () => Math.floor(random() * 12));
      return {length: 30, startNs: Float64Array.from(starts), durationNs};
    };
    const moments = ({startNs, durationNs}: ReturnType<typeof intervals>) =>
      new Set(
        [...startNs].flatMap((start, i) => Array.from({length: durationNs[i] ?? 0}, (_, moment) => start + moment)),
      );
    for (let round = 0; round < 50; round++) {
      const [a, b] = [intervals(), intervals()];
      const inBoth = [...moments(a)].filter(moment => moments(b).has(moment));
      expect(unionOf(a).totalNs).toBe(moments(a).size);
      expect(overlapNs(unionOf(a), unionOf(b))).toBe(inBoth.length);
    }
  });
});

describe('kernelClass(name)', () => {
  it.each([
    ['ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)', 'communication'],
    ['ampere_sgemm_128x64_tn', 'matrix product'],
    ['sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_cublas', 'matrix product'],
    ['Cijk_Ailk_Bljk_HHS_BH_MT128x128x32', 'matrix product'],
    ['void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64>>()', 'attention'],
    ['void cudnn::cnn::wgrad_alg0_engine<float, 128>()', 'convolution'],
    // cuDNN's and MIOpen's convolutions speak of matrix products that they are not.
    ['volta_scudnn_128x128_stridedB_splitK_small_nn_v1', 'convolution'],
    ['cudnn_infer_volta_scudnn_128x64_relu_medium_nn_v1', 'convolution'],
    ['cudnn_train_volta_scudnn_128x128_stridedB_splitK_medium_nn_v1', 'convolution'],
    [
      'void cask_cudnn_infer::computeOffsetsKernel<false, false>(cask_cudnn_infer::ComputeOffsetsParams)',
      'convolution',
    ],
    ['igemm_wrw_gtcx3_nhwc_bf16_bx0_ex1_bt64x256x32_wt32x32x8_ws1x1_wr2x2_gkgs', 'convolution'],
    ['igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1_bt256x128x32', 'convolution'],
    ['triton_red_fused__to_copy_add_mean_0', 'reduction'],
    ['triton_per_fused_add_sum_3', 'reduction'],
    ['triton_per_fused_native_layer_norm_1', 'normalisation'],
    ['triton_poi_fused_add_2', 'elementwise'],
    ['void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float>()', 'normalisation'],
    ['void cudnn::bn_bw_1C11_kernel_new<float>()', 'normalisation'],
    ['void cunn_SoftMaxForward<8, float>()', 'softmax'],
    ['void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>()', 'reduction'],
    ['void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>()', 'elementwise'],
    ['void at::native::(anonymous namespace)::CatArrayBatchedCopy<float>()', 'copy'],
    ['saxpy(double *, int)', 'other'],
  ])('%s is %s', (name, kind) => {
    expect(kernelClass(name)).toBe(kind);
  });
});
