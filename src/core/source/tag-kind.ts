/** What tags are written with: PyTorch's own ranges, or NVTX for Nsight Systems. */
export const tagKinds = ['record_function', 'nvtx'] as const;
export type TagKind = (typeof tagKinds)[number];
