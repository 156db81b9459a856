/** Operators that start no kernel: they make views and memory, or return a tensor's properties to the CPU. */
const names: ReadonlySet<string> = new Set(
  [
    'view reshape _reshape_alias _unsafe_view transpose t permute movedim swapaxes expand expand_as unsqueeze squeeze',
    'as_strided slice select narrow split split_with_sizes chunk unbind unfold diagonal real imag flatten unflatten',
    'alias detach detach_ view_as view_as_real view_as_complex numpy_T mT lift_fresh result_type to _to_copy contiguous',
    'empty empty_like empty_strided new_empty new_empty_strided resize_ set_ set_data data requires_grad_ is_leaf',
    'size stride numel is_pinned is_complex is_floating_point is_same_size dim output_nr _version retain_grad',
    'resolve_conj resolve_neg scalar_tensor record_stream _has_compatible_shallow_copy_type can_cast promote_types linear matmul dropout',
  ].flatMap(list => list.split(' ')),
);

export function startsNoKernel(name: string): boolean {
  return names.has(name.replace(/^aten::/, ''));
}

/** Operators whose result the CPU needs: it waits for the GPU. */
const waiting: ReadonlySet<string> = new Set(
  '_local_scalar_dense nonzero equal is_nonzero masked_select _unique2 unique_dim unique_consecutive'.split(' '),
);

export function waitsForGpu(name: string): boolean {
  return waiting.has(name.replace(/^aten::/, ''));
}
