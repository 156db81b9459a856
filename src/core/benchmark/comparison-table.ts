import {say} from '../base/say.js';
import {median} from '../base/median.js';
import {isMeasurable, medianChange, noiseOf, type MedianChange} from '../compare/median-change.js';
import {formatChange} from '../format/change.js';
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
 * percent of the first, each with its interval, unless noise explains it. A text without steps has means, whose
 * interval is both deviations together; if it has no deviations either, the headings say that there is no interval.
 *
 * @see docs/metrics.md#benchmark-change
 */
export function comparisonTable(measurements: readonly Measurement[], axis: ComparedAxis): LayoutTable {
  const spread: readonly MeasurementAxis[] = ['pass', axis];
  const head = new RowHead(measurements, spread);
  const passes = axisValues(measurements, 'pass').map(String);
  const [base, ...others] = axisValues(measurements, axis);
  const groups = groupedRows(measurements, spread);
  const at = (group: readonly Measurement[], pass: string, value: unknown) =>
    group.find(one => one.pass === pass && one[axis] === value);
  /** Of passes and values whose measurements have no interval in any row, the means are all that there is. */
  const haveNone = (pass: string, value: unknown) =>
    !groups.some(group => haveInterval(at(group, pass, base), at(group, pass, value)));
  const columnsOf = (pass: string): LayoutColumn[] => {
    const titles = others.flatMap(value => changeTitles(valueText(value, axis), others.length, haveNone(pass, value)));
    return [valueText(base, axis), ...titles].map(title => ({group: passTitle(pass), title, isNumber: true}));
  };
  return {
    title: say('{0} against {1} (ms)', others.map(value => valueText(value, axis)).join(', '), valueText(base, axis)),
    columns: [...head.columns, ...passes.flatMap(columnsOf)],
    rows: groups.map(group => [
      ...head.cells(group[0]),
      ...passes.flatMap(pass => {
        const first = at(group, pass, base);
        const changes = others.flatMap(value => {
          const other = at(group, pass, value);
          return [middle(other), ...change(first, other, haveNone(pass, value))];
        });
        return [middle(first), ...changes];
      }),
    ]),
  };
}

function changeTitles(value: string, count: number, haveNoInterval: boolean): string[] {
  const of = (count > 1 ? say(' of {0}', value) : '') + (haveNoInterval ? say(' (no interval)') : '');
  return [value, say('Difference') + of, say('% Change') + of];
}

/** Returns whether steps or standard deviations tell an interval of the difference. */
function haveInterval(first: Measurement | undefined, other: Measurement | undefined): boolean {
  if (hasSteps(first) && hasSteps(other)) return true;
  return typeof first?.statistics?.stdNs === 'number' && typeof other?.statistics?.stdNs === 'number';
}

/** Returns the median of the steps; the mean for a text without steps. */
function middle(measurement: Measurement | undefined): LayoutCell {
  const middleNs = hasSteps(measurement) ? median(measurement.stepNs) : null;
  return meanCell(measurement, ({meanNs}) => msText(middleNs ?? meanNs), middleNs ?? undefined);
}

function hasSteps(measurement: Measurement | undefined): measurement is Measurement {
  return measurement !== undefined && measurement.stepNs.length > 0;
}

/** @param isPlain whether the column has means alone, and says so in its heading */
function change(first: Measurement | undefined, other: Measurement | undefined, isPlain: boolean): LayoutCell[] {
  if (!first || !other) return [plainCell(''), plainCell('')];
  const measured =
    hasSteps(first) && hasSteps(other) ? medianChange(other.stepNs, first.stepNs, {areRunsApart: true}) : null;
  return measured ? medianCells(measured, median(first.stepNs), other) : meanCells(first, other, isPlain);
}

/** Returns the cells of a change of means; the interval is both deviations together. */
function meanCells(first: Measurement, other: Measurement, isPlain: boolean): LayoutCell[] {
  const [before, after] = [first.statistics, other.statistics];
  if (!before || !after || before.meanNs <= 0) return [plainCell('N/A'), plainCell('N/A')];
  if (!isPlain && !haveInterval(first, other)) {
    return ['–', say('not measurable')].map(shown => plainCell(shown, other.id));
  }
  const deltaNs = after.meanNs - before.meanNs;
  const percent = (100 * deltaNs) / before.meanNs;
  const values = {difference: deltaNs / 1e6, percent};
  if (isPlain) {
    const text = {
      difference: signed(msText(deltaNs, before.meanNs), deltaNs),
      percent: `${signed(percent.toFixed(1), percent)}%`,
    };
    return changeCells(text, values, other, toneOf(deltaNs, 0));
  }
  const noiseNs = (before.stdNs ?? 0) + (after.stdNs ?? 0);
  const text = {
    difference: differenceText(deltaNs, noiseNs, before.meanNs),
    percent: formatChange(percent, (100 * noiseNs) / before.meanNs),
  };
  return changeCells(text, values, other, toneOf(deltaNs, noiseNs));
}

/** Returns the cells of a change. If noise explains the difference, the table says so instead of showing a figure. */
function medianCells(measured: MedianChange, beforeNs: number, other: Measurement): LayoutCell[] {
  const text = medianChangeText(measured);
  const noise = noiseOf(measured);
  if (noise === null || !isMeasurable(measured)) return ['–', text].map(shown => plainCell(shown, other.id));
  const [deltaNs, noiseNs] = [measured.percent, noise].map(percent => (percent / 100) * beforeNs);
  return changeCells(
    {difference: differenceText(deltaNs, noiseNs, beforeNs), percent: text},
    {difference: deltaNs / 1e6, percent: measured.percent},
    other,
    toneOf(deltaNs, 0),
  );
}

interface OfChange<Value> {
  /** In ms. */
  readonly difference: Value;
  readonly percent: Value;
}

function changeCells(
  text: OfChange<string>,
  value: OfChange<number>,
  {id}: Measurement,
  tone: LayoutCell['tone'],
): LayoutCell[] {
  return (['difference', 'percent'] as const).map(key => ({text: text[key], value: value[key], measurement: id, tone}));
}

/** Formats `+5.00 ± 0.30`, in ms with the digits of the base. */
function differenceText(deltaNs: number, noiseNs: number, baseNs: number): string {
  return `${signed(msText(deltaNs, baseNs), deltaNs)} ± ${msText(noiseNs, baseNs)}`;
}

function toneOf(deltaNs: number, noiseNs: number): LayoutCell['tone'] {
  if (Math.abs(deltaNs) <= noiseNs) return 'none';
  return deltaNs < 0 ? 'better' : 'worse';
}

function signed(text: string, value: number): string {
  return value > 0 ? `+${text}` : text;
}

function valueText(value: Measurement[MeasurementAxis], axis: ComparedAxis): string {
  if (axis === 'compile') return value === true ? say('compiled') : say('not compiled');
  return axisText(value);
}
