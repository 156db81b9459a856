/** The classes of kernels, according to their names. */
export const kernelClasses = [
  'communication',
  'matrix product',
  'attention',
  'convolution',
  'normalisation',
  'softmax',
  'reduction',
  'copy',
  'elementwise',
  'other',
] as const;
export type KernelClass = (typeof kernelClasses)[number];

/**
 * The first matching pattern decides: names of fused attention contain "gemm", too, and templates name what they are
 * applied to.
 */
const patterns: readonly (readonly [KernelClass, RegExp])[] = [
  ['communication', /nccl|rccl|msccl|all_?reduce|all_?gather|reduce_?scatter|sendrecv|nvshmem/i],
  ['attention', /flash_(fwd|bwd)|flash_?attn|fmha|_attention_|attn_fwd|attn_bwd|sdpa|paged_attention/i],
  [
    'convolution',
    /conv|wgrad|dgrad|winograd|implicit_gemm|im2col|col2im|scudnn|cudnn_(infer|train)|cask_cudnn|igemm_(fwd|bwd|wrw)_gtc/i,
  ],
  ['matrix product', /gemm|gemv|cutlass|cublas|splitk|matmul|(^|[^a-z])mm_|Cijk_|nvjet|xmma/i],
  ['normalisation', /layer_?norm|batch_?norm|rms_?norm|group_?norm|(^|::)bn_|\bnorm_fwd|norm_bwd/i],
  ['softmax', /softmax/i],
  ['copy', /memcpy|copy_kernel|direct_copy|CatArray|transpose|gather|scatter|index_?select|embedding/i],
  ['reduction', /reduce|triton_(red|per)_|(^|::)(arg)?(max|min|sum|mean)_|scan_|sort|topk/i],
  ['elementwise', /elementwise|pointwise|vectorized|unrolled|triton_poi|fill|multi_tensor_apply|dropout/i],
];

/**
 * Returns the class of a kernel by its name; "other" if no pattern matches. A guess, because a profile has only names.
 *
 * @see docs/metrics.md#kernel-class-sum
 */
export function kernelClass(name: string): KernelClass {
  // Long names repeat themselves in template arguments. The beginning identifies the kernel.
  const beginning = name.slice(0, 2000);
  return patterns.find(([, pattern]) => pattern.test(beginning))?.[0] ?? 'other';
}

/** Returns whether a kernel's name is a communication library's. */
export function isCommunicationKernel(name: string): boolean {
  return kernelClass(name) === 'communication';
}

/** The operator that PyTorch records around each call of a collective, with the collective's parameters. */
export const communicationOperator = 'record_param_comms';

/**
 * Returns whether an annotation is a call of a collective on the CPU. Gloo's annotations last until the collective is
 * done.
 */
export function isCpuCollective(name: string): boolean {
  return name.startsWith('gloo:');
}

/**
 * Returns whether an MPI call is a collective that blocks until its rank is done: `MPI_Allreduce`, `MPI_Alltoallv`.
 * Nonblocking ones (`MPI_Iallreduce`) return at once, and do not count.
 */
export function isMpiCollective(name: string): boolean {
  return /^P?MPI_(Allreduce|Allgatherv?|Reduce_scatter(_block)?|Alltoall[vw]?|Bcast|Gatherv?|Scatterv?|Reduce|Barrier)(_c)?$/.test(
    name,
  );
}
