import {say} from '../base/say.js';
import {formatCount} from '../format/count.js';
import {meanCell, msText} from './figure-text.js';
import {plainCell, type LayoutTable} from './layout-table.js';
import {RowHead} from './measurement-rows.js';
import type {Measurement} from './measurement.js';

/** Returns a table of all measurements, a row per point. */
export function pointsTable(measurements: readonly Measurement[]): LayoutTable {
  const head = new RowHead(measurements, []);
  const number = (title: string) => ({group: '', title, isNumber: true});
  return {
    title: say('All points'),
    columns: [
      ...head.columns,
      number(say('Mean ± std (ms)')),
      number(say('Min (ms)')),
      number(say('Median (ms)')),
      number(say('Steps')),
      number(say('Tokens/s')),
      number(say('Samples/s')),
      number(say('Peak memory (MB)')),
      number(say('Parameters')),
      number(say('Without embedding')),
      {group: '', title: say('What happened'), isNumber: false},
    ],
    rows: measurements.map(measurement => [...head.cells(measurement), ...figures(measurement)]),
  };
}

function figures(measurement: Measurement): ReturnType<typeof plainCell>[] {
  const {id, statistics, memory} = measurement;
  const cell = (value: number | null | undefined, text: (value: number) => string) =>
    plainCell(value === null || value === undefined ? '' : text(value), id, value ?? null);
  const ms = (ns: number | undefined) => cell(ns === undefined ? null : ns / 1e6, () => msText(ns ?? 0));
  return [
    meanCell(measurement),
    ms(statistics?.minNs),
    ms(statistics?.medianNs),
    cell(measurement.stepNs.length > 0 ? measurement.stepNs.length : null, String),
    cell(measurement.tokensPerSecond, rateText),
    cell(measurement.samplesPerSecond, rateText),
    cell(memory && memory.peakBytes / 1e6, megabytes => formatCount(Math.round(megabytes))),
    cell(measurement.parameters, formatCount),
    cell(measurement.parametersWithoutEmbedding, formatCount),
    plainCell(measurement.message ?? '', id),
  ];
}

function rateText(perSecond: number): string {
  return perSecond >= 100 ? formatCount(Math.round(perSecond)) : perSecond.toPrecision(3);
}
