/** Names of ranges that PyTorch opens itself, from its sources (2.0 to 2.13). They are on no line of the user's. */
const patterns = [
  // All steps together are `ProfilerStep*`.
  /^ProfilerStep(#\d+|\*)$/,
  /^Optimizer\.(step|zero_grad)#/,
  /^enumerate\(DataLoader\)#/,
  /^DistributedDataParallel\./,
  /^FullyShardedDataParallel\.|^FSDP[.:]/,
  /^(nccl|gloo|mpi|ucc):/,
  /^Torch-Compiled Region/,
  /^TorchDynamo Cache Lookup$|^Pregraph bytecode$|^AOTDispatcher Runtime Wrapper/,
  /^CompiledFxGraph|^## Call CompiledFxGraph/,
];

/** Returns whether a range of this name is PyTorch's own. */
export function isPyTorchRange(name: string): boolean {
  return patterns.some(pattern => pattern.test(name));
}
