import {ns, text} from './rule.js';
import {isBeforeTf32, isSinglePrecision} from './single-precision.js';

const isShortProduct = `class IN ('matrix product', 'convolution', 'attention') AND NOT (${isSinglePrecision}) AND name NOT LIKE '%tf32%' AND name NOT LIKE '%s1688gemm%'`;

/** Facts about products that are not in 32 bits, and whether the GPU has TF32. */
export const shortProductFacts = {
  products: ns(`SELECT coalesce(sum(duration_ns), 0) FROM kernels WHERE ${isShortProduct}`),
  volta: text(`SELECT count(*) FROM devices WHERE ${isBeforeTf32}`),
};

/**
 * What 16 bits save at most of the time of products: by NVIDIA’s data sheets they take half as long as in TF32, and an
 * eighth of fp32 on GPUs that have no TF32.
 */
export function savedAtMostNs(productsNs: number, volta: number): number {
  return volta > 0 ? 7 * productsNs : productsNs;
}
