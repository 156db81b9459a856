import {timeUnits} from './time-units.js';

/** Formats a duration with three significant digits and a suitable unit: `950 ns`, `12.3 µs`, `1.24 s`, `75.0 s`. */
export function formatDuration(durationNs: number): string {
  if (!Number.isFinite(durationNs)) return '–';
  const sign = durationNs < 0 ? '-' : '';
  const magnitudeNs = Math.abs(durationNs);
  // 999.5 µs would be rounded to "1000 µs", so the next unit is used from there on.
  const unit = unitOf(magnitudeNs);
  return `${sign}${threeDigits(magnitudeNs / unit.ns, unit.ns === 1)} ${unit.symbol}`;
}

/**
 * Formats a duration as a number in the unit that `formatDuration` uses for `wholeNs`, for a part next to its whole.
 */
export function formatPart(durationNs: number, wholeNs: number): string {
  const unit = unitOf(Math.abs(wholeNs));
  const value = durationNs / unit.ns;
  if (value > 0 && value < 0.005) return '<0.01';
  return value === 0 ? '0' : threeDigits(value, unit.ns === 1);
}

function unitOf(magnitudeNs: number): (typeof timeUnits)[number] {
  return timeUnits.find(({ns}) => magnitudeNs >= ns * 0.9995) ?? timeUnits[3];
}

/** Formats a part of a whole: `30.6 %`, `4.21 %`, `<0.01 %`; nothing of nothing is `0 %`. */
export function formatPercent(part: number, whole: number): string {
  const percent = whole > 0 ? (100 * part) / whole : 0;
  if (percent === 0) return '0 %';
  return percent < 0.01 ? '<0.01 %' : `${threeDigits(percent, false)} %`;
}

function threeDigits(value: number, isWhole: boolean): string {
  if (isWhole || value >= 99.95) return value.toFixed(0);
  return value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}
