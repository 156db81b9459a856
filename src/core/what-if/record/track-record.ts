import {median} from '../../base/median.js';
import {isFields} from '../../base/read-json.js';
import {plural} from '../../format/count.js';

/** What was predicted of a profile, and what a later run took that has the changes; whole ns. */
export interface KeptPrediction {
  /** The profile's file, in the run's folder. */
  readonly file: string;
  /** As the command line takes them. */
  readonly changes: readonly string[];
  readonly measuredNs: number;
  readonly predictedNs: number;
  readonly intervalNs: readonly [low: number, high: number];
  /** Null as long as no later run has the changes. */
  readonly outcome: PredictionOutcome | null;
}

interface PredictionOutcome {
  /** The folder of the later run. */
  readonly run: string;
  readonly measuredNs: number;
}

/** How good predictions were whose outcome is known. */
export interface TrackRecord {
  readonly predictions: number;
  readonly judged: number;
  /** Of those judged, how many outcomes lie in the interval. */
  readonly inside: number;
  /** In points of the step before the change; null where none is judged. */
  readonly medianErrorPoints: number | null;
}

/** How far a prediction is from its outcome, in points of what was measured before; null without an outcome. */
export function errorPoints({measuredNs, predictedNs, outcome}: KeptPrediction): number | null {
  return outcome && measuredNs > 0 ? (100 * Math.abs(predictedNs - outcome.measuredNs)) / measuredNs : null;
}

/** Whether the outcome lies in the interval; null without an outcome. */
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

/** A sentence about a record; null for one without predictions. */
export function trackRecordText({predictions, judged, inside, medianErrorPoints}: TrackRecord): string | null {
  if (predictions === 0) return null;
  if (medianErrorPoints === null)
    return `Track record: ${plural(predictions, 'prediction')}, no later run has one of the changes.`;
  return `Track record: ${plural(predictions, 'prediction')}, of which ${String(judged)} can be compared with a later run: ${String(inside)} inside the interval, median error ${medianErrorPoints.toFixed(1)} points.`;
}

/** What of a prediction's gain may be left in a run that is said to have the change. */
const mostLeft = 0.2;

/** Whether somebody can make a change, so that a later run may have it: a roof is a bound that nobody reaches. */
export function canBeMade(change: string): boolean {
  return !change.startsWith('at-roof=');
}

/** Below this much of a step a gain cannot be told from noise, so that nothing can be said of later runs. */
const leastGain = 0.02;

/** Whether a prediction's gain is large enough for a later run to show it: 2 % of the step. */
export function canBeJudged({measuredNs, predictedNs}: Pick<KeptPrediction, 'measuredNs' | 'predictedNs'>): boolean {
  return measuredNs > 0 && 1 - predictedNs / measuredNs >= leastGain;
}

/**
 * Whether a later run has the changes of a prediction: the same changes would bring it at most a fifth of the gain that was
 * predicted, or find nothing to change. Only of a predicted gain of 2 % and more.
 *
 * @param later what the same changes make of the later run; null where they find nothing
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

/** The predictions in a text as they are kept; what has another form is left out. */
export function parsePredictions(text: string): KeptPrediction[] {
  const json = JSON.parse(text) as unknown;
  const kept = isFields(json) ? json['predictions'] : null;
  return Array.isArray(kept) ? kept.filter(isPrediction) : [];
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTime = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value < Infinity;
const isOutcome = (value: unknown) =>
  value === null || (isFields(value) && isText(value['run']) && isTime(value['measuredNs']));
/** A list of so many values at the least. */
const isList = (value: unknown, isValue: (one: unknown) => boolean, least: number) =>
  Array.isArray(value) && value.length >= least && value.every(isValue);

function isPrediction(value: unknown): value is KeptPrediction {
  if (!isFields(value)) return false;
  const {file, changes, measuredNs, predictedNs, intervalNs, outcome} = value;
  // A path out of the folder is none of its profiles.
  const isHere = isText(file) && !/[\\/]/.test(file);
  const isTimed = isTime(measuredNs) && isTime(predictedNs) && isList(intervalNs, isTime, 2);
  return isHere && isTimed && isList(changes, isText, 1) && isOutcome(outcome);
}
