/** Row of `slices` (an operator) → sizes of its inputs as PyTorch writes them: `[[16, 32], []]`. */
export type RecordedShapes = ReadonlyMap<number, string>;
