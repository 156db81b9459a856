/** The possible verdicts on the change of a block. */
export const blockVerdicts = ['faster', 'slower', 'same', 'cannot tell', 'new', 'gone'] as const;

/** The run whose time gives blocks their width. */
export const differenceSides = ['before', 'after'] as const;
export type DifferenceSide = (typeof differenceSides)[number];

/** What a change refers to: all of a block's time, or the time per call. */
export type DifferenceMeasure = 'total' | 'call';

/** Figures of the blocks in one run, by block: per step, or in total. */
export interface BlockSide {
  readonly workNs: Float64Array;
  /** Number of instances of a range, or of GPU operations. */
  readonly calls: Float64Array;
}

/** The judgements on the changes of one measure, by block. */
export interface BlockJudgements {
  /** The uncertainty of the change; NaN for a block that is not judged. */
  readonly noiseNs: Float64Array;
  /** Index into `blockVerdicts`. */
  readonly verdict: Uint8Array;
}

/** The differences between two runs, by block. @see docs/metrics.md#flame-difference */
export interface FlameDifference {
  readonly per: 'step' | 'all';
  readonly before: BlockSide;
  readonly after: BlockSide;
  readonly judged: Readonly<Record<DifferenceMeasure, BlockJudgements>>;
}

/** A difference with the display options. */
export interface ShownDifference extends FlameDifference {
  readonly side: DifferenceSide;
  readonly measure: DifferenceMeasure;
}

/** The change of a block in the displayed measure. */
export interface BlockChange {
  readonly beforeNs: number;
  readonly afterNs: number;
  readonly deltaNs: number;
  /** NaN if it is not judged. */
  readonly noiseNs: number;
  readonly verdict: (typeof blockVerdicts)[number];
}

/** Returns the change of a block. A block that is absent in a run has 0 there, in any measure. */
export function blockChange({before, after, judged, measure}: ShownDifference, block: number): BlockChange {
  const of = ({workNs, calls}: BlockSide) =>
    measure === 'total' || workNs[block] === 0
      ? workNs[block]
      : workNs[block] / Math.max(calls[block], Number.MIN_VALUE);
  const [beforeNs, afterNs] = [of(before), of(after)];
  const {noiseNs, verdict} = judged[measure];
  return {
    ...{beforeNs, afterNs, deltaNs: afterNs - beforeNs, noiseNs: noiseNs[block]},
    verdict: blockVerdicts[verdict[block]],
  };
}

/** Returns a change as a fraction of the larger time: from -1, entirely gone, to 1, entirely new. */
export function changedPart({beforeNs, afterNs, deltaNs}: BlockChange): number {
  const most = Math.max(beforeNs, afterNs);
  return most > 0 ? deltaNs / most : 0;
}
