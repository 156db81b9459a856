import {ns, text} from './rule.js';
import {isBeforeTf32, isSinglePrecision} from './single-precision.js';

const isShortProduct = `class IN ('matrix product', 'convolution', 'attention') AND NOT (${isSinglePrecision}) AND name NOT LIKE '%tf32%' AND name NOT LIKE '%s1688gemm%'`;

/** Facts about products that do not use 32 bits, and whether the GPU has TF32. */
export const shortProductFacts = {
  products: ns(`SELECT coalesce(sum(duration_ns), 0) FROM kernels WHERE ${isShortProduct}`),
  volta: text(`SELECT count(*) FROM devices WHERE ${isBeforeTf32}`),
};

/**
 * Returns the most time that 16-bit products may have saved: according to NVIDIA’s data sheets, they take half as long
 * as products in TF32, and an eighth of fp32 on GPUs without TF32.
 */
export function savedAtMostNs(productsNs: number, volta: number): number {
  return volta > 0 ? 7 * productsNs : productsNs;
}
