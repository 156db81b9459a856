/**
 * Returns whether a kernel moves data between GPUs, by its name: kernels of NCCL, RCCL, HCCL and NVSHMEM, and
 * hand-written collectives.
 */
export function isCommunicationName(name: string): boolean {
  return /^(?:nccl|rccl|hccl)|ncclKernel|ncclDevKernel|nvshmem|deep_ep|(?:^|[^a-z])(?:all_?reduce|all_?gather|reduce_?scatter|all_?to_?all)/i.test(
    name,
  );
}
