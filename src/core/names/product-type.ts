/** The type that a kernel multiplies. */
export type ProductType = 'fp8' | 'bf16' | 'fp16' | 'tf32' | 'fp32';

/**
 * Patterns in kernel names, from the most to the least reliable. cuBLAS's `nvjet` names the types of the inputs, the sum
 * and the output by a letter each (q: fp8, t: bf16, h: fp16, s: fp32); so does AMD's Tensile, after the two index lists.
 */
const signs: readonly (readonly [ProductType, RegExp])[] = [
  ['fp8', /fp8|e4m3|e5m2|^nvjet_(?:sm\d+_)?q|^Cijk_[a-z]+_[a-z]+_[FB]8/i],
  ['bf16', /bf16|bfloat16|^nvjet_(?:sm\d+_)?ts[ts]_|^Cijk_[a-z]+_[a-z]+_B[BS]S_/i],
  ['fp16', /fp16|f16|half|hgemm|[^a-z]h884|h16816|__half|^nvjet_(?:sm\d+_)?hs[hs]_|^Cijk_[a-z]+_[a-z]+_H(?:[HS]S|B)_/i],
  ['tf32', /tf32|s1688|tensorop_s/i],
  ['fp32', /sgemm|scudnn|f32f32|fp32|_s_|float|cf32/i],
];

/** Returns the type that a kernel multiplies, by its name; null if the name does not contain one. */
export function productTypeInName(name: string): ProductType | null {
  return signs.find(([, sign]) => sign.test(name))?.[0] ?? null;
}
