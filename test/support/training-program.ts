import {GpuProgram} from './gpu-program.js';

/** Kernels of one pass, each with its µs. */
const kernels: readonly (readonly [operator: string, name: string, us: number])[] = [
  ['aten::addmm', 'ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn', 900],
  [
    'aten::scaled_dot_product_attention',
    'void flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128>>(Flash_fwd_params)',
    420,
  ],
  ['aten::native_layer_norm', 'void at::native::vectorized_layer_norm_kernel<float, float>(int)', 130],
  ['aten::gelu', 'void at::native::vectorized_elementwise_kernel<4, at::native::GeluFunctor<float>>(int)', 210],
  ['aten::mm', 'ampere_bf16_s16816gemm_bf16_256x128_ldg8_f2f_stages_64x3_nt', 1300],
];

/**
 * Returns events of a training loop of six steps that waits for its data loader, copies each batch and reads the loss.
 */
export function trainingProgram(): GpuProgram {
  const program = new GpuProgram();
  for (let step = 1; step <= 6; step++) {
    program.range(`ProfilerStep#${String(step)}`, () => {
      program.range('enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__', () => {
        program.python(1200 + 300 * (step % 3));
      });
      program.launch({name: 'Memcpy HtoD (Pinned -> Device)', gpu: 150, bytes: 4_000_000});
      for (const pass of ['forward', 'backward']) {
        program.range(pass, () => {
          for (const [operator, name, us] of kernels) {
            program.launch({operator, name, gpu: pass === 'forward' ? us : 2 * us, cpu: 40});
          }
        });
      }
      if (step === 1) program.call('cudaMalloc', 900);
      program.launch({name: 'ncclDevKernel_AllReduce_Sum_bf16_RING_LL', gpu: 600});
      program.synchronise();
      program.python(250);
    });
  }
  return program;
}
