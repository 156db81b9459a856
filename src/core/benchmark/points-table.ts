import {formatCount} from '../format/count.js';
import {meanCell, msText} from './figure-text.js';
import {plainCell, type LayoutTable} from './layout-table.js';
import {RowHead} from './measurement-rows.js';
import type {Measurement} from './measurement.js';

/** Everything that was measured, a row per point. */
export function pointsTable(measurements: readonly Measurement[]): LayoutTable {
  const head = new RowHead(measurements, []);
  const number = (title: string) => ({group: '', title, isNumber: true});
  return {
    title: 'All points',
    columns: [
      ...head.columns,
      number('Mean ± std (ms)'),
      number('Min (ms)'),
      number('Median (ms)'),
      number('Steps'),
      number('Tokens/s'),
      number('Samples/s'),
      number('Peak memory (MB)'),
      number('Parameters'),
      number('Without embedding'),
      {group: '', title: 'What happened', isNumber: false},
    ],
    rows: measurements.map(measurement => [...head.cells(measurement), ...figures(measurement)]),
  };
}

function figures(measurement: Measurement): ReturnType<typeof plainCell>[] {
  const {id, statistics, memory} = measurement;
  const ms = (ns: number | undefined) => (ns === undefined ? '' : msText(ns));
  const rate = (value: number | null) => (value === null ? '' : rateText(value));
  const count = (value: number | null) => (value === null ? '' : formatCount(value));
  const texts = [
    ms(statistics?.minNs),
    ms(statistics?.medianNs),
    measurement.stepNs.length > 0 ? String(measurement.stepNs.length) : '',
    rate(measurement.tokensPerSecond),
    rate(measurement.samplesPerSecond),
    memory ? formatCount(Math.round(memory.peakBytes / 1e6)) : '',
    count(measurement.parameters),
    count(measurement.parametersWithoutEmbedding),
    measurement.message ?? '',
  ];
  return [meanCell(measurement), ...texts.map(text => plainCell(text, id))];
}

function rateText(perSecond: number): string {
  return perSecond >= 100 ? formatCount(Math.round(perSecond)) : perSecond.toPrecision(3);
}
