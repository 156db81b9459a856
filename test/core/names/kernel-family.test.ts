import {expect, it} from 'vitest';
import {kernelFamily} from '../../../src/core/names/kernel-family.js';

const families: readonly (readonly string[])[] = [
  [
    'volta_sgemm_128x64_tn',
    'ampere_sgemm_64x32_sliced1x4_nn',
    'ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_64x3_tn',
    'ampere_bf16_s16816gemm_bf16_256x128_ldg8_f2f_stages_64x3_nn',
    'void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x128_16x5_nt_align4>(cutlass_80_tensorop_s1688gemm::Params)',
    'nvjet_tst_192x192_64x4_2x1_v_bz_coopB_bias_TNN',
    'turing_fp16_s1688gemm_fp16_128x128_ldg8_f2f_tn',
  ],
  ['void at::native::reduce_kernel<512, 1, float>(int)', 'void at::native::reduce_kernel<128, 4, c10::Half>(int)'],
  ['triton_poi_fused_add_0', 'triton_poi_fused_add_12'],
  [
    'sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x128x16_stage4_warpsize2x2x1_g1_tensor16x8x8_execute_kernel__5x_cudnn',
    'sm90_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize64x64x64_stage3_warpsize2x2x1_g1_tensor16x8x16_execute_kernel__5x_cudnn',
  ],
];

it.each(families.map(names => [names]))('one family: %j', names => {
  expect(new Set(names.map(kernelFamily)).size).toBe(1);
});

it('tells different work apart', () => {
  const all = [...families.map(([name = '']) => name), 'volta_scudnn_winograd_128x128_ldg1_ldg4_relu_tile148t_nt_v1'];
  expect(new Set(all.map(kernelFamily)).size).toBe(all.length);
});

it('gives every name a family, whatever it is', () => {
  for (const name of ['', '_', 'ampere_', '128x64', 'Memcpy HtoD', '<<<', 'n'])
    expect(typeof kernelFamily(name)).toBe('string');
});
