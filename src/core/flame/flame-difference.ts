/** What can be said of the change of a block. */
export const blockVerdicts = ['faster', 'slower', 'same', 'cannot tell', 'new', 'gone'] as const;

/** Which run's time blocks are as wide as. */
export const differenceSides = ['before', 'after'] as const;
export type DifferenceSide = (typeof differenceSides)[number];

/** What a change is of: all of a block's time, or that of a call. */
export type DifferenceMeasure = 'total' | 'call';

/** Figures of the blocks in one run, by block: per step, or in all. */
export interface BlockSide {
  readonly workNs: Float64Array;
  /** Instances of a range, else GPU operations. */
  readonly calls: Float64Array;
}

/** How the changes of one measure were judged, by block. */
export interface BlockJudgements {
  /** How far the change can be off; NaN for a block that is not judged. */
  readonly noiseNs: Float64Array;
  /** A place in `blockVerdicts`. */
  readonly verdict: Uint8Array;
}

/** What two runs differ by, block by block. @see docs/metrics.md#flame-difference */
export interface FlameDifference {
  readonly per: 'step' | 'all';
  readonly before: BlockSide;
  readonly after: BlockSide;
  readonly judged: Readonly<Record<DifferenceMeasure, BlockJudgements>>;
}

/** A difference as it is looked at. */
export interface ShownDifference extends FlameDifference {
  readonly side: DifferenceSide;
  readonly measure: DifferenceMeasure;
}

/** The change of a block by the measure that is shown. */
export interface BlockChange {
  readonly beforeNs: number;
  readonly afterNs: number;
  readonly deltaNs: number;
  /** NaN if it is not judged. */
  readonly noiseNs: number;
  readonly verdict: (typeof blockVerdicts)[number];
}

/** Returns the change of a block; one that a run lacks is 0 there, whatever the measure. */
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

/** Returns how much of the larger time a change is, from -1, all of it gone, to 1, all of it new. */
export function changedPart({beforeNs, afterNs, deltaNs}: BlockChange): number {
  const most = Math.max(beforeNs, afterNs);
  return most > 0 ? deltaNs / most : 0;
}
