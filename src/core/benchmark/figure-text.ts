import {plainCell, type LayoutCell} from './layout-table.js';
import {isUnsteady} from './step-statistics.js';
import type {Measurement} from './measurement.js';

/**
 * Formats a time in ms, with as many digits as are usual in reports: `1069.6`, `29.55`, `0.0413`; or with the digits of
 * another time.
 */
export function msText(ns: number, digitsOfNs = ns): string {
  const magnitude = Math.abs(digitsOfNs / 1e6);
  return (ns / 1e6).toFixed(magnitude >= 99.995 ? 1 : magnitude >= 0.995 ? 2 : 4);
}

/** Formats `29.55 ± 0.71`; without the deviation if there is none. */
export function meanText({meanNs, stdNs}: {readonly meanNs: number; readonly stdNs: number | null}): string {
  return stdNs === null ? msText(meanNs) : `${msText(meanNs)} ± ${msText(stdNs, meanNs)}`;
}

/** Returns the mean of a measurement, or its problem. @param sortedNs the value to sort by; the mean if absent */
export function meanCell(
  measurement: Measurement | undefined,
  text: typeof meanText = meanText,
  sortedNs = measurement?.statistics?.meanNs,
): LayoutCell {
  if (!measurement) return plainCell('');
  const {id, statistics, problem} = measurement;
  const figure = statistics ? text(statistics) : '';
  const all = [figure, problem === null ? '' : figure === '' ? problem : `(${problem})`].filter(part => part !== '');
  const value = sortedNs === undefined ? null : sortedNs / 1e6;
  return {text: all.join(' '), measurement: id, tone: toneOf(measurement, text === meanText), value};
}

/** @param isMean whether the cell shows the mean: single slow steps do not change a median */
function toneOf({statistics, problem}: Measurement, isMean: boolean): LayoutCell['tone'] {
  if (problem !== null) return 'problem';
  return isMean && isUnsteady(statistics) ? 'unsteady' : 'none';
}
