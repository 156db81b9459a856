import {median} from '../base/median.js';
import {isMeasurable, medianChange, type MedianChange} from '../compare/median-change.js';
import {medianChangeText} from '../text/median-change-text.js';
import {meanCell, msText} from './figure-text.js';
import {plainCell, type LayoutCell, type LayoutColumn, type LayoutTable} from './layout-table.js';
import {axisText, axisValues, groupedRows, RowHead, type MeasurementAxis} from './measurement-rows.js';
import type {Measurement} from './measurement.js';
import {passTitle} from './times-table.js';

/** The axes that can be compared: their first value is the base. */
export const comparedAxes = ['precision', 'compile', 'device', 'variant'] as const;
export type ComparedAxis = (typeof comparedAxes)[number];

/** Returns the axes with several values. */
export function comparableAxes(measurements: readonly Measurement[]): ComparedAxis[] {
  return comparedAxes.filter(axis => axisValues(measurements, axis).length > 1);
}

/**
 * Compares one value of an axis with each other one, per pass: both medians, their difference, and the change in
 * percent of the first, unless noise explains it. A text without steps has means, and a change smaller than both
 * deviations together has no tone.
 *
 * @see docs/metrics.md#benchmark-change
 */
export function comparisonTable(measurements: readonly Measurement[], axis: ComparedAxis): LayoutTable {
  const spread: readonly MeasurementAxis[] = ['pass', axis];
  const head = new RowHead(measurements, spread);
  const passes = axisValues(measurements, 'pass').map(String);
  const [base, ...others] = axisValues(measurements, axis);
  const columns = passes.flatMap(pass => passColumns(passTitle(pass), valueText(base, axis), others, axis));
  return {
    title: `${others.map(value => valueText(value, axis)).join(', ')} against ${valueText(base, axis)} (ms)`,
    columns: [...head.columns, ...columns],
    rows: groupedRows(measurements, spread).map(group => [
      ...head.cells(group[0]),
      ...passes.flatMap(pass => {
        const at = (value: unknown) => group.find(one => one.pass === pass && one[axis] === value);
        const first = at(base);
        return [middle(first), ...others.flatMap(value => [middle(at(value)), ...change(first, at(value))])];
      }),
    ]),
  };
}

function passColumns(
  group: string,
  base: string,
  others: readonly Measurement[MeasurementAxis][],
  axis: ComparedAxis,
): LayoutColumn[] {
  const titles = [base, ...others.flatMap(value => changeTitles(valueText(value, axis), others.length))];
  return titles.map(title => ({group, title, isNumber: true}));
}

function changeTitles(value: string, count: number): string[] {
  const of = count > 1 ? ` of ${value}` : '';
  return [value, `Difference${of}`, `% Change${of}`];
}

/** Returns the median of the steps; the mean for a text without steps. */
function middle(measurement: Measurement | undefined): LayoutCell {
  const middleNs = hasSteps(measurement) ? median(measurement.stepNs) : null;
  return meanCell(measurement, ({meanNs}) => msText(middleNs ?? meanNs), middleNs ?? undefined);
}

function hasSteps(measurement: Measurement | undefined): measurement is Measurement {
  return measurement !== undefined && measurement.stepNs.length > 0;
}

function change(first: Measurement | undefined, other: Measurement | undefined): LayoutCell[] {
  if (!first || !other) return [plainCell(''), plainCell('')];
  const measured =
    hasSteps(first) && hasSteps(other) ? medianChange(other.stepNs, first.stepNs, {areRunsApart: true}) : null;
  if (measured) return medianCells(measured, median(first.stepNs), other);
  const [before, after] = [first.statistics, other.statistics];
  if (!before || !after || before.meanNs <= 0) return [plainCell('N/A'), plainCell('N/A')];
  const deltaNs = after.meanNs - before.meanNs;
  const percent = (100 * deltaNs) / before.meanNs;
  const cell = {measurement: other.id, tone: changeTone(deltaNs, (before.stdNs ?? 0) + (after.stdNs ?? 0))};
  return [
    {text: signed(msText(deltaNs, before.meanNs), deltaNs), value: deltaNs / 1e6, ...cell},
    {text: `${signed(percent.toFixed(1), percent)}%`, value: percent, ...cell},
  ];
}

/** Returns the cells of a change. If noise explains the difference, the table says so instead of showing a figure. */
function medianCells(measured: MedianChange, beforeNs: number, {id}: Measurement): LayoutCell[] {
  const text = medianChangeText(measured);
  if (!isMeasurable(measured)) {
    return ['–', text].map(shown => plainCell(shown, id));
  }
  const deltaNs = (measured.percent / 100) * beforeNs;
  const tone = deltaNs < 0 ? 'better' : 'worse';
  return [
    {text: signed(msText(deltaNs, beforeNs), deltaNs), measurement: id, tone, value: deltaNs / 1e6},
    {text, measurement: id, tone, value: measured.percent},
  ];
}

function changeTone(deltaNs: number, noiseNs: number): LayoutCell['tone'] {
  if (Math.abs(deltaNs) <= noiseNs) return 'none';
  return deltaNs < 0 ? 'better' : 'worse';
}

function signed(text: string, value: number): string {
  return value > 0 ? `+${text}` : text;
}

function valueText(value: Measurement[MeasurementAxis], axis: ComparedAxis): string {
  if (axis === 'compile') return value === true ? 'compiled' : 'not compiled';
  return axisText(value);
}
