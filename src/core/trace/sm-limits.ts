/** What one SM of a device holds at once, as the file tells it. */
export interface SmLimits {
  readonly device: number;
  readonly computeMajor: number;
  readonly computeMinor: number;
  readonly threads: number;
  readonly registers: number;
  readonly sharedBytes: number;
  /** Null where the file does not say. */
  readonly blocks: number | null;
}
