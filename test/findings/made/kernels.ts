import type {GpuProgram} from '../../support/gpu-program.js';
import {casesOf, type MadeCase} from './made-case.js';

const shapes = (type: string, ...dims: readonly (readonly number[])[]) => ({
  'Input Dims': dims,
  'Input type': dims.map(() => type),
});
const bf16 = 'c10::BFloat16';
const each = (count: number, make: (program: GpuProgram) => void) => (program: GpuProgram) => {
  for (let at = 0; at < count; at++) make(program);
};

/** A product of m × k by k × n. */
const product = (m: number, k: number, n: number, gpu: number, type = bf16) => ({
  operator: 'aten::mm',
  name: type === 'float' ? 'sm80_xmma_gemm_f32f32_tf32f32_f32' : 'ampere_bf16_s16816gemm_bf16_128x128',
  gpu,
  args: shapes(type, [m, k], [k, n]),
});
const vocabulary = (n: number, gpu: number) => ({
  ...product(1024, 768, n, gpu),
  operator: 'aten::addmm',
  args: shapes(bf16, [n], [1024, 768], [768, n]),
});
const cast = (gpu: number) => ({operator: 'aten::_to_copy', name: 'unrolled_elementwise_kernel<direct_copy>', gpu});

/** Rows of 1,024 in fp32, read and written: 100 MB take 49 µs of an A100's 2,039 GB/s. */
const rows = (operator: string, megabytes: number, gpu: number) => ({
  operator,
  name: 'vectorized_layer_norm_kernel',
  gpu,
  args: shapes('float', [Math.round((megabytes * 1e6) / 8192), 1024]),
});
const expert =
  (number: number, gpu: number, count = 4) =>
  (program: GpuProgram) =>
    program.range(`expert ${String(number)}`, () => program.launches(count, {name: 'ampere_bf16_s16816gemm', gpu}));

/** Simulated programs for the rules about kernels, their precision and their shapes. */
export const kernelCases: readonly MadeCase[] = [
  ...casesOf(
    'shapes/unaligned',
    {
      'a vocabulary of 50,257 beside one of 50,304': each(5, program =>
        program.launch(vocabulary(50_304, 300)).launch(vocabulary(50_257, 900)),
      ),
      'an inner side of 1,001': each(5, program =>
        program.launch(product(512, 1000, 512, 50)).launch(product(512, 1001, 512, 120)),
      ),
      'TF32 with 770 columns': each(5, program =>
        program.launch(product(1024, 768, 768, 80, 'float')).launch(product(1024, 768, 770, 160, 'float')),
      ),
    },
    {
      'as fast as aligned ones': each(5, program =>
        program.launch(vocabulary(50_304, 300)).launch(vocabulary(50_257, 301)),
      ),
      'no aligned one is as large': each(5, program =>
        program.launch(product(64, 64, 64, 10)).launch(vocabulary(50_257, 900)),
      ),
      'all are aligned': each(5, program =>
        program.launch(product(512, 1024, 512, 50)).launch(product(512, 1024, 520, 120)),
      ),
      'the number of rows alone': each(5, program =>
        program.launch(product(512, 1024, 512, 50)).launch(product(511, 1024, 512, 120)),
      ),
      'no shapes are recorded': each(5, program =>
        program.launch({operator: 'aten::mm', gpu: 50}).launch({operator: 'aten::mm', gpu: 120}),
      ),
    },
  ),
  ...casesOf(
    'kernels/below-memory-roof',
    {
      'layer norms at a tenth of the bandwidth': each(5, program =>
        program.launch({gpu: 500}).launch(rows('aten::native_layer_norm', 100, 500)),
      ),
      'a softmax of the loss at a fifth': each(5, program =>
        program.launch({gpu: 500}).launch(rows('aten::_log_softmax', 100, 250)),
      ),
      'the backward pass of a norm': each(5, program =>
        program.launch({gpu: 500}).launch(rows('aten::native_layer_norm_backward', 100, 900)),
      ),
    },
    {
      'near the bandwidth': each(5, program =>
        program.launch({gpu: 500}).launch(rows('aten::native_layer_norm', 100, 60)),
      ),
      'rows of a few kilobytes': each(50, program =>
        program.launch({gpu: 50}).launch(rows('aten::native_layer_norm', 0.1, 8)),
      ),
      'a hundredth of the work': each(5, program =>
        program.launch({gpu: 50_000}).launch(rows('aten::native_layer_norm', 100, 500)),
      ),
      'softmax of attention, which another rule finds': each(5, program =>
        program.launch({operator: 'aten::bmm', gpu: 500}).launch(rows('aten::_softmax', 100, 500)),
      ),
      'no shapes are recorded': each(5, program =>
        program.launch({gpu: 500}).launch({operator: 'aten::native_layer_norm', gpu: 500}),
      ),
    },
  ),
  ...casesOf(
    'precision/mixed-gains-nothing',
    {
      'small layers between casts': each(20, program =>
        program
          .launch(cast(12))
          .launch(cast(12))
          .launch(product(64, 64, 64, 10)),
      ),
      'casts as long as products': each(10, program => program.launch(cast(105)).launch(product(512, 512, 512, 100))),
      'a model of little products': each(40, program =>
        program
          .launch(cast(6))
          .launch(product(64, 64, 64, 5))
          .launch({operator: 'aten::gelu', name: 'vectorized_elementwise_kernel', gpu: 10}),
      ),
    },
    {
      'products take far longer': each(10, program => program.launch(cast(20)).launch(product(512, 512, 512, 100))),
      'casts of a program without products in 16 bits': each(10, program =>
        program.launch(cast(105)).launch(product(512, 512, 512, 100, 'float')),
      ),
      'two casts in all': program =>
        program
          .launch(cast(5))
          .launch(cast(5))
          .launch(product(64, 64, 64, 5))
          .launches(20, {name: 'ampere_sgemm_128x64_tn', gpu: 100}),
    },
  ),
  ...casesOf(
    'experts/uneven',
    {
      'one of eight takes half': program =>
        [900, 100, 120, 90, 110, 100, 95, 105].forEach((gpu, at) => expert(at, gpu)(program)),
      'one of four is nearly alone': program => [20, 20, 800, 20].forEach((gpu, at) => expert(at, gpu)(program)),
      'by number in two layers': each(2, program =>
        [50, 50, 50, 50, 50, 400].forEach((gpu, at) =>
          program.range('experts', () =>
            program
              .python(1)
              .range(String(at), () => program.launch({name: 'ampere_bf16_s16816gemm', gpu}))
              .python(1),
          ),
        ),
      ),
    },
    {
      'all the same': program => [100, 100, 100, 100].forEach((gpu, at) => expert(at, gpu)(program)),
      'a third more': program => [130, 100, 100, 100].forEach((gpu, at) => expert(at, gpu)(program)),
      'two experts': program => [900, 10].forEach((gpu, at) => expert(at, gpu)(program)),
      'a hundredth of the work': program => {
        program.launch({gpu: 500_000});
        [900, 100, 100, 100, 100, 100].forEach((gpu, at) => expert(at, gpu)(program));
      },
    },
  ),
];
