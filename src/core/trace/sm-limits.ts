/** What one SM of a device can hold at once, according to the file. */
export interface SmLimits {
  readonly device: number;
  readonly computeMajor: number;
  readonly computeMinor: number;
  readonly threads: number;
  readonly registers: number;
  readonly sharedBytes: number;
  /** Null if the file does not say. */
  readonly blocks: number | null;
}
