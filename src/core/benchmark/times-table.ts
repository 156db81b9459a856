import {say, template} from '../base/say.js';
import {meanCell} from './figure-text.js';
import type {LayoutTable} from './layout-table.js';
import {axisValues, groupedRows, RowHead} from './measurement-rows.js';
import type {Measurement} from './measurement.js';

/** Returns the usual title of a pass: a template. */
export function passTitle(pass: string): string {
  const titles: Readonly<Record<string, string>> = {
    forward: template('Forward'),
    backward: template('Backward'),
    'forward+backward': template('Forward + backward'),
    train: template('Train step'),
    optimizer: template('Optimizer'),
    '': template('Run'),
  };
  return titles[pass] ?? pass;
}

/**
 * Returns a table of mean ± standard deviation in ms: a row per size, context length and anything else that differs, a
 * column per pass and precision.
 */
export function timesTable(measurements: readonly Measurement[]): LayoutTable {
  const spread = ['pass', 'precision'] as const;
  const head = new RowHead(measurements, spread);
  const precisions = axisValues(measurements, 'precision');
  const columns = axisValues(measurements, 'pass').flatMap(pass =>
    precisions
      .filter(precision => measurements.some(one => one.pass === pass && one.precision === precision))
      .map(precision => ({pass, precision})),
  );
  return {
    title: say('Mean ± standard deviation (ms)'),
    columns: [
      ...head.columns,
      ...columns.map(({pass, precision}) => ({
        group: passTitle(String(pass)),
        title: precisions.length > 1 ? `${String(precision ?? '')} (ms)` : '(ms)',
        isNumber: true,
      })),
    ],
    rows: groupedRows(measurements, spread).map(group => [
      ...head.cells(group[0]),
      ...columns.map(({pass, precision}) =>
        meanCell(group.find(one => one.pass === pass && one.precision === precision)),
      ),
    ]),
  };
}
