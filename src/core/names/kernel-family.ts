import {kernelBaseName} from './kernel-name.js';
import {kernelClass} from './kernel-class.js';

/** Generations of GPUs and libraries at the beginning of a name. */
const generation = /^(?:maxwell|pascal|volta|turing|ampere|ada|hopper|blackwell|sm\d+|xmma|cutlass\d*x?|\d{2,3})_/;
/**
 * Parts between underscores that are not part of the algorithm: tiles, stages, layouts, widths of loads, data types.
 */
const variantPart =
  /^(?:\d+(?:x\d+)*|(?:tilesize|warpsize|warpgroupsize|sliced|stages?|align|ldg|tensor|tile|g|v|sm)\d[\dx]*t?|[tn]{1,3}|stages?|f2f|(?:b?f|fp|tf|u?int|s|e\dm|h|i)\d+\w*|half|float|double|bfloat16|execute|kernel|nhwc\w*|nchw\w*|cudnn|x?cudnn|simt|strided|batched)$/i;

/**
 * Returns the family of a kernel: its name without namespaces, template arguments, GPU generation, tile, layout and
 * data type. Matrix products are one family, whatever their library. Kernels of one family do the same sort of work on
 * different hardware or in a different precision. A guess, from the name alone.
 *
 *     ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_64x3_tn   gemm
 *     volta_sgemm_128x64_tn                                        gemm
 *     triton_poi_fused_add_12                                      triton_poi_fused_add
 */
export function kernelFamily(name: string): string {
  if (kernelClass(name) === 'matrix product') return productFamily(name);
  let text = kernelBaseName(name.slice(0, 2000));
  while (generation.test(text)) text = text.replace(generation, '');
  const parts = text.split('_').filter(part => part !== '' && !variantPart.test(part));
  return parts.length === 0 ? text : parts.join('_');
}

function productFamily(name: string): string {
  if (/split_?k.*reduce/i.test(name)) return 'splitk_reduce';
  return /gemv/i.test(name) ? 'gemv' : 'gemm';
}
