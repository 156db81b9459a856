import {describe, expect, it} from 'vitest';
import {reportApiName} from '../../../src/core/names/api-name.js';
import {kernelBaseName} from '../../../src/core/names/kernel-name.js';
import {memoriesOf, reportMemoryName} from '../../../src/core/names/memory-operation-name.js';

describe('kernelBaseName(name)', () => {
  it.each([
    ['ampere_sgemm_128x64_tn', 'ampere_sgemm_128x64_tn'],
    ['saxpy(double *, double *, int)', 'saxpy'],
    ['void at::native::reduce_kernel<(int)512, (int)1, at::Op<float>>(at::Op<float>)', 'reduce_kernel'],
    ['void (anonymous namespace)::softmax<8>(float *)', 'softmax'],
    [
      'void <unnamed>::elementwise_kernel_with_index<int, at::arange(const c10::Scalar &)>(int)',
      'elementwise_kernel_with_index',
    ],
    ['void outer<int>::inner<(bool)0>(T1)', 'inner'],
    ['void cub::CUB_200600_NS::DeviceReduceKernel<cub::Policy<1>::Max, double *>(T2)', 'DeviceReduceKernel'],
    ['void k<decltype(a->b)>(int)', 'k'],
    ['', ''],
    ['void k<<<', 'k'],
  ])('%s is %s', (name, base) => {
    expect(kernelBaseName(name)).toBe(base);
  });

  it('takes a name of a million brackets in its stride', () => {
    expect(kernelBaseName(`k${'<'.repeat(1e6)}`)).toBe('k');
    expect(kernelBaseName('a<b>::'.repeat(2e5))).toBeTypeOf('string');
  }, 2000);
});

describe('reportApiName(name)', () => {
  it('cuts an ABI version of four digits and no other', () => {
    expect(reportApiName('cudaLaunchKernel_v7000')).toBe('cudaLaunchKernel');
    expect(reportApiName('cudaGraphLaunch_v10000')).toBe('cudaGraphLaunch_v10000');
    expect(reportApiName('cuGetProcAddress_v2')).toBe('cuGetProcAddress_v2');
  });
});

describe('reportMemoryName(name)', () => {
  it('calls Kineto’s copies and memsets as nsys does', () => {
    expect(reportMemoryName('Memcpy HtoD (Pinned -> Device)')).toBe('[CUDA memcpy Host-to-Device]');
    expect(reportMemoryName('Memset (Device)')).toBe('[CUDA memset]');
    expect(reportMemoryName('[CUDA memcpy Peer-to-Peer]')).toBe('[CUDA memcpy Peer-to-Peer]');
  });

  it('leaves the memories to memoriesOf(name)', () => {
    expect(memoriesOf('Memcpy HtoD (Pinned -> Device)')).toEqual({source: 'Pinned', target: 'Device'});
    expect(memoriesOf('Memset (Device)')).toEqual({source: 'Device', target: null});
    expect(memoriesOf('gemm')).toBeNull();
  });
});
