import {say, template} from '../base/say.js';
import {plainCell, type LayoutCell, type LayoutColumn} from './layout-table.js';
import type {Measurement} from './measurement.js';

/** The axes in which measurements differ, in the order of columns. */
export const measurementAxes = [
  'variant',
  'size',
  'contextLength',
  'batch',
  'device',
  'compile',
  'precision',
  'pass',
] as const;
export type MeasurementAxis = (typeof measurementAxes)[number];

/** Templates. */
const axisTitles: Readonly<Record<MeasurementAxis, string>> = {
  variant: template('Command'),
  size: template('Size'),
  contextLength: template('Context length'),
  batch: template('Batch'),
  device: template('Device'),
  compile: template('Compiled'),
  precision: template('Precision'),
  pass: template('Pass'),
};

/** Returns the values of an axis, in the order of first occurrence. */
export function axisValues(
  measurements: readonly Measurement[],
  axis: MeasurementAxis,
): Measurement[MeasurementAxis][] {
  return Array.from(new Set(measurements.map(measurement => measurement[axis])));
}

/** Returns groups of measurements that are equal in everything except some axes, in the order of first occurrence. */
export function groupedRows(
  measurements: readonly Measurement[],
  spread: readonly MeasurementAxis[],
): readonly (readonly Measurement[])[] {
  const kept = measurementAxes.filter(axis => !spread.includes(axis));
  const groups = new Map<string, Measurement[]>();
  for (const measurement of measurements) {
    const key = JSON.stringify(kept.map(axis => measurement[axis]));
    const group = groups.get(key);
    if (group) group.push(measurement);
    else groups.set(key, [measurement]);
  }
  return Array.from(groups.values());
}

/** Columns that distinguish rows: the size, the context length if there is one, and anything else that differs. */
export class RowHead {
  readonly #axes: readonly MeasurementAxis[];

  constructor(measurements: readonly Measurement[], spread: readonly MeasurementAxis[]) {
    this.#axes = measurementAxes.filter(axis => {
      if (spread.includes(axis)) return false;
      const values = axisValues(measurements, axis);
      return (
        values.length > 1 || ((axis === 'size' || axis === 'contextLength') && values[0] !== null && values[0] !== '')
      );
    });
  }

  get columns(): LayoutColumn[] {
    return this.#axes.map(axis => ({
      group: '',
      title: say(axisTitles[axis]),
      isNumber: axis === 'contextLength' || axis === 'batch',
    }));
  }

  cells(measurement: Measurement): LayoutCell[] {
    return this.#axes.map(axis => {
      const value = measurement[axis];
      return plainCell(axisText(value), null, typeof value === 'number' ? value : null);
    });
  }
}

export function axisText(value: Measurement[MeasurementAxis]): string {
  if (typeof value === 'boolean') return value ? say('yes') : say('no');
  return value === null ? '' : String(value);
}
