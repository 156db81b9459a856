import {median} from '../../base/median.js';
import {isFields} from '../../base/read-json.js';
import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';

/** A prediction for a profile, and the time of a later run that has the changes; whole ns. */
export interface KeptPrediction {
  /** The profile's file, in the run's folder. */
  readonly file: string;
  /** The changes, in the syntax of the command line. */
  readonly changes: readonly string[];
  readonly measuredNs: number;
  readonly predictedNs: number;
  readonly intervalNs: readonly [low: number, high: number];
  /** Null until a later run has the changes. */
  readonly outcome: PredictionOutcome | null;
}

interface PredictionOutcome {
  /** The folder of the later run. */
  readonly run: string;
  readonly measuredNs: number;
}

/** How accurate predictions with a known outcome were. */
export interface TrackRecord {
  readonly predictions: number;
  readonly judged: number;
  /** The number of judged predictions whose outcome is in the interval. */
  readonly inside: number;
  /** In percentage points of the step before the change; null if none is judged. */
  readonly medianErrorPoints: number | null;
}

/**
 * Returns the distance of a prediction from its outcome, in percentage points of the earlier measurement; null without
 * an outcome.
 */
export function errorPoints({measuredNs, predictedNs, outcome}: KeptPrediction): number | null {
  return outcome && measuredNs > 0 ? (100 * Math.abs(predictedNs - outcome.measuredNs)) / measuredNs : null;
}

/** Returns whether the outcome is in the interval; null without an outcome. */
export function isInside({intervalNs: [low, high], outcome}: KeptPrediction): boolean | null {
  return outcome && outcome.measuredNs >= low && outcome.measuredNs <= high;
}

/** @see docs/metrics.md#track-record */
export function trackRecord(predictions: readonly KeptPrediction[]): TrackRecord {
  const points = predictions.map(errorPoints).filter(error => error !== null);
  return {
    predictions: predictions.length,
    judged: points.length,
    inside: predictions.filter(one => isInside(one) === true).length,
    medianErrorPoints: points.length > 0 ? Math.round(median(points) * 10) / 10 : null,
  };
}

/** Returns a sentence about a record; null if it has no predictions. */
export function trackRecordText({predictions, judged, inside, medianErrorPoints}: TrackRecord): string | null {
  if (predictions === 0) return null;
  const all = counted(predictions, '{0} prediction', '{0} predictions');
  if (medianErrorPoints === null) return say('Track record: {0}, no later run has one of the changes.', all);
  return say(
    'Track record: {0}, of which {1} can be compared with a later run: {2} inside the interval, median error {3} points.',
    all,
    judged,
    inside,
    medianErrorPoints.toFixed(1),
  );
}

/** The share of the predicted gain that may remain in a run that has the change. */
const mostLeft = 0.2;

/** Returns whether a change can be made, so that a later run may have it: a roof is a bound that nobody reaches. */
export function canBeMade(change: string): boolean {
  return !change.startsWith('at-roof=');
}

/** A gain below this share of a step cannot be told from noise, so later runs cannot be judged. */
const leastGain = 0.02;

/** Returns whether a prediction's gain is large enough to show in a later run: 2 % of the step. */
export function canBeJudged({measuredNs, predictedNs}: Pick<KeptPrediction, 'measuredNs' | 'predictedNs'>): boolean {
  return measuredNs > 0 && 1 - predictedNs / measuredNs >= leastGain;
}

/**
 * Returns whether a later run has the changes of a prediction: the same changes would gain at most a fifth of the
 * predicted gain, or find nothing to change. Always false for a predicted gain below 2 %.
 *
 * @param later the result of the same changes on the later run; null if they find nothing
 */
export function containsChange(
  prediction: Pick<KeptPrediction, 'measuredNs' | 'predictedNs'>,
  later: {readonly measuredNs: number; readonly predictedNs: number} | null,
): boolean {
  if (!canBeJudged(prediction)) return false;
  const gain = 1 - prediction.predictedNs / prediction.measuredNs;
  if (later === null) return true;
  return later.measuredNs > 0 && 1 - later.predictedNs / later.measuredNs <= mostLeft * gain;
}

/** Parses stored predictions; omits those of another form. */
export function parsePredictions(text: string): KeptPrediction[] {
  const json = JSON.parse(text) as unknown;
  const kept = isFields(json) ? json['predictions'] : null;
  return Array.isArray(kept) ? kept.filter(isPrediction) : [];
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTime = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value < Infinity;
const isOutcome = (value: unknown) =>
  value === null || (isFields(value) && isText(value['run']) && isTime(value['measuredNs']));
/** Tests for a list with a minimum number of values. */
const isList = (value: unknown, isValue: (one: unknown) => boolean, least: number) =>
  Array.isArray(value) && value.length >= least && value.every(isValue);

function isPrediction(value: unknown): value is KeptPrediction {
  if (!isFields(value)) return false;
  const {file, changes, measuredNs, predictedNs, intervalNs, outcome} = value;
  // A path outside the folder is not one of its profiles.
  const isHere = isText(file) && !/[\\/]/.test(file);
  const isTimed = isTime(measuredNs) && isTime(predictedNs) && isList(intervalNs, isTime, 2);
  return isHere && isTimed && isList(changes, isText, 1) && isOutcome(outcome);
}
