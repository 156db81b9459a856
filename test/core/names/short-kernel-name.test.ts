import {describe, expect, it} from 'vitest';
import {shortKernelName} from '../../../src/core/names/short-kernel-name.js';
import {kindIndex} from '../../../src/core/trace/slices.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles} from '../../support/real-data.js';

const native = 'at::native::';

describe('shortKernelName(name)', () => {
  it.each([
    ['volta_sgemm_128x64_tn', 'volta_sgemm_128x64_tn'],
    [
      'void cutlass::Kernel2<cutlass_80_simt_sgemm_128x32_8x5_nn_align1>(cutlass_80_simt_sgemm_128x32_8x5_nn_align1::Params)',
      'cutlass_80_simt_sgemm_128x32_8x5_nn_align1',
    ],
    [
      `void ${native}vectorized_elementwise_kernel<4, ${native}CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul> >(int, std::array<char*, 3ul>)`,
      'vectorized_elementwise_kernel<4, CUDAFunctor_add<bf16>>',
    ],
    [
      `void ${native}elementwise_kernel<128, 4, ${native}gpu_kernel_impl_nocast<${native}direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1}>(at::TensorIteratorBase&)::{lambda(int)#1}>(int)`,
      'elementwise_kernel<128, 4, direct_copy_kernel_cuda(bf16)>',
    ],
    [
      `void ${native}elementwise_kernel<128, 4, ${native}gpu_kernel_impl_nocast<${native}BinaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, ${native}binary_internal::MulFunctor<float> > >(at::TensorIteratorBase&)::{lambda(int)#1}>(int)`,
      'elementwise_kernel<128, 4, bf16, MulFunctor<float>>',
    ],
    [
      'void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128, 128, 4, false, false, cutlass::bfloat16_t, pytorch_flash::Flash_kernel_traits<64, 128, 128, 4, cutlass::bfloat16_t> >, false, true>(pytorch_flash::Flash_fwd_params)',
      'flash_fwd_kernel<64, 128, 128, 4, bf16>',
    ],
    [
      'std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, __nv_bfloat16, float, false, 7, cublasGemvParamsEx<int> >(cublasGemvParamsEx<int>)',
      'gemvx::kernel<int, bf16, float, 7, cublasGemvParamsEx<int>>',
    ],
    [
      'void clover::par_ranged2d_kernel<build_field(global_variables &)::[lambda(int, int) (instance 2)]>(clover::Range2d, T1)',
      'par_ranged2d_kernel<build_field(int)#2>',
    ],
    ['void (anonymous namespace)::softmax_warp_forward<float, 8>(float *)', 'softmax_warp_forward<float, 8>'],
    ['triton_poi_fused_add_0', 'triton_poi_fused_add_0'],
    ['_ZN2ck16tensor_operation6deviceE', '_ZN2ck16tensor_operation6deviceE'],
    ['Memcpy HtoD (Pinned -> Device)', 'Memcpy HtoD (Pinned -> Device)'],
    ['', ''],
    ['<<<((', '<<<(('],
  ])('%s', (name, short) => {
    expect(shortKernelName(name)).toBe(short);
  });

  it('ends on names that are nested without end', () => {
    expect(shortKernelName(`f<${'g<'.repeat(100_000)}`).length).toBeLessThan(200);
    expect(shortKernelName(`f<${'a,'.repeat(100_000)}`)).toBe('f<a>');
  });

  itEachFile([...dataFiles('kineto', '.json.gz'), ...dataFiles('nsys', '.sqlite')])(
    'tells the kernels of $name apart as good as always, and is never longer than the name',
    async ({path}) => {
      const {slices, strings, gpuOperations} = await openTrace(path);
      const rows = [...gpuOperations.slice].filter(row => slices.kind[row] === kindIndex.kernel);
      const names = [...new Set(rows.map(row => strings.get(slices.name[row] ?? -1)))];
      const short = names.map(shortKernelName);
      expect(new Set(short).size).toBeGreaterThanOrEqual(0.9 * names.length);
      short.forEach((text, at) => {
        expect(text.length).toBeLessThanOrEqual(names[at]?.length ?? 0);
        expect(text).not.toMatch(/^(Kernel2?|kernel)$|TensorIterator|anonymous|at::/);
      });
    },
  );
});
