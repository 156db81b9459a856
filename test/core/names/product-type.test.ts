import {expect, it} from 'vitest';
import {productTypeInName} from '../../../src/core/names/product-type.js';

it.each([
  ['nvjet_tst_192x192_64x4_2x1_v_bz_coopB_bias_TNN', 'bf16'],
  ['nvjet_sm100_tss_128x64_64x8_1x2_h_bz_TNT', 'bf16'],
  ['nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_NTT', 'fp16'],
  ['nvjet_qqtst_128x128_128x6_2x1_v_bz_TNT', 'fp8'],
  ['nvjet_sss_tf32_64x64_32x10_1x2_h_bz_NNN', 'tf32'],
  ['Cijk_Ailk_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT128x128x32', 'bf16'],
  ['Cijk_Alik_Bljk_HHS_BH_MT128x128x16_MI32x32x8x1_SN', 'fp16'],
  ['Cijk_Ailk_Bjlk_S_B_Bias_HA_S_SAV_UserArgs_MT64x64x16', 'fp32'],
  ['ampere_bf16_s16816gemm_bf16_128x256_ldg8_f2f_stages_64x3_tn', 'bf16'],
  ['turing_h1688gemm_128x128_ldg8_stages_32x2_nn', null],
  ['ampere_sgemm_128x64_tn', 'fp32'],
  ['cutlass_80_tensorop_s1688gemm_128x128_16x5_tn_align4', 'tf32'],
  ['gemm', null],
])('productTypeInName(%j) is %s', (name, type) => {
  expect(productTypeInName(name)).toBe(type);
});
