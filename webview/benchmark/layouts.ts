import {comparableAxes, comparisonTable} from '../../src/core/benchmark/comparison-table.js';
import type {LayoutTable} from '../../src/core/benchmark/layout-table.js';
import type {Measurement} from '../../src/core/benchmark/measurement.js';
import {phasesTable} from '../../src/core/benchmark/phases-table.js';
import {pointsTable} from '../../src/core/benchmark/points-table.js';
import {timesTable} from '../../src/core/benchmark/times-table.js';
import type {Tab} from '../shared/tab-bar.js';
import {t} from '../shared/translate.js';

/** A table of measurements, behind a tab. */
export interface Layout extends Tab {
  readonly table: LayoutTable;
}

const axisTitles = {
  precision: t('By precision'),
  compile: t('By compiled'),
  device: t('By device'),
  variant: t('By command'),
} as const;

/** Returns the tables that suit these measurements. */
export function layoutsOf(measurements: readonly Measurement[]): Layout[] {
  const phases = phasesTable(measurements);
  return [
    {id: 'times', title: t('Times'), about: t('Mean ± standard deviation'), table: timesTable(measurements)},
    ...comparableAxes(measurements).map(axis => ({
      id: axis,
      title: axisTitles[axis],
      about: t('Each against the first: difference and change in percent'),
      table: comparisonTable(measurements, axis),
    })),
    ...(phases ? [{id: 'phases', title: t('Phases'), about: t('Forward, backward, optimizer'), table: phases}] : []),
    {id: 'points', title: t('All points'), about: t('Everything that was measured'), table: pointsTable(measurements)},
  ];
}
