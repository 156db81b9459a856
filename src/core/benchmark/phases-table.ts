import {say} from '../base/say.js';
import {meanText} from './figure-text.js';
import {plainCell, type LayoutTable} from './layout-table.js';
import {RowHead} from './measurement-rows.js';
import type {Measurement} from './measurement.js';
import {stepPhases} from './point-result.js';
import {stepStatistics} from './step-statistics.js';
import {passTitle} from './times-table.js';

/**
 * Returns a table of forward, backward and optimizer, mean ± standard deviation in ms: a row per point that has more
 * than one of them. Null if none has.
 */
export function phasesTable(measurements: readonly Measurement[]): LayoutTable | null {
  const split = measurements.filter(({phaseNs}) => Object.keys(phaseNs).length > 1);
  if (split.length === 0) return null;
  const head = new RowHead(split, []);
  const phases = stepPhases.filter(phase => split.some(({phaseNs}) => phaseNs[phase] !== undefined));
  return {
    title: say('Phases of a step, mean ± standard deviation (ms)'),
    columns: [
      ...head.columns,
      ...phases.map(phase => ({group: '', title: `${say(passTitle(phase))} (ms)`, isNumber: true})),
    ],
    rows: split.map(measurement => [
      ...head.cells(measurement),
      ...phases.map(phase => {
        const statistics = stepStatistics(measurement.phaseNs[phase] ?? []);
        return statistics
          ? plainCell(meanText(statistics), measurement.id, statistics.meanNs / 1e6)
          : plainCell('', measurement.id);
      }),
    ]),
  };
}
