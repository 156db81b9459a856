/** The kinds of tags: PyTorch's own ranges, or NVTX for Nsight Systems. */
export const tagKinds = ['record_function', 'nvtx'] as const;
export type TagKind = (typeof tagKinds)[number];
