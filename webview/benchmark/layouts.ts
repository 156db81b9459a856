import {comparableAxes, comparisonTable} from '../../src/core/benchmark/comparison-table.js';
import type {LayoutTable} from '../../src/core/benchmark/layout-table.js';
import type {Measurement} from '../../src/core/benchmark/measurement.js';
import {phasesTable} from '../../src/core/benchmark/phases-table.js';
import {pointsTable} from '../../src/core/benchmark/points-table.js';
import {timesTable} from '../../src/core/benchmark/times-table.js';
import type {Tab} from '../shared/tab-bar.js';

/** A table that can be made of measurements, behind a tab. */
export interface Layout extends Tab {
  readonly table: LayoutTable;
}

const axisTitles = {precision: 'Precision', compile: 'Compiled', device: 'Device', variant: 'Command'} as const;

/** The tables that say something about these measurements. */
export function layoutsOf(measurements: readonly Measurement[]): Layout[] {
  const phases = phasesTable(measurements);
  return [
    {id: 'times', title: 'Times', about: 'Mean ± standard deviation', table: timesTable(measurements)},
    ...comparableAxes(measurements).map(axis => ({
      id: axis,
      title: `By ${axisTitles[axis].toLowerCase()}`,
      about: 'Each against the first: difference and change in percent',
      table: comparisonTable(measurements, axis),
    })),
    ...(phases ? [{id: 'phases', title: 'Phases', about: 'Forward, backward, optimizer', table: phases}] : []),
    {id: 'points', title: 'All points', about: 'Everything that was measured', table: pointsTable(measurements)},
  ];
}
