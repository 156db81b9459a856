/** Number formats of activations and weights. */
export const precisions = ['fp32', 'tf32', 'fp16', 'bf16', 'fp8'] as const;
export type Precision = (typeof precisions)[number];

/** Bytes of one number in memory. TF32 is a way to multiply numbers of four bytes. */
export const precisionBytes: Readonly<Record<Precision, number>> = {fp32: 4, tf32: 4, fp16: 2, bf16: 2, fp8: 1};
