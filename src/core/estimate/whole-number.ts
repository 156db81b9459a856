import {formatCount} from '../format/count.js';
import {EstimateError} from './estimate-error.js';

/** @throws EstimateError if a figure is not an integer within its limits, which the message states */
export function checkWhole(name: string, value: unknown, least: number, most: number): void {
  if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return;
  const limits = `from ${formatCount(least)} to ${formatCount(most)}`;
  throw new EstimateError(`${name} must be a whole number ${limits}, not ${String(value)}.`);
}
