import {markdownCell, oneLine} from '../core/format/cells.js';
import {formatDuration} from '../core/format/duration.js';
import type {PredictedRange, PredictedStep} from '../core/predicted-gpu/predicted-step.js';
import {formatRows, type Column, type OutputFormat} from './report.js';
import type {SourcePlace} from './sources.js';
import {whatIfText} from './whatif-output.js';

/** A screen holds no more rows; the other formats have all. */
const mostRows = 25;

type Row = PredictedRange & SourcePlace;

/**
 * A predicted step in one of the output formats, with a final line feed; CSV has the ranges alone. In JSON `lines` are the
 * ranges with the lines that open them.
 */
export function predictedStepText(
  {ranges, ...answer}: PredictedStep,
  placeOf: (name: string) => SourcePlace,
  format: OutputFormat,
): string {
  const rows = ranges.map((range): Row => ({...range, ...placeOf(range.name)}));
  if (format === 'json') return `${JSON.stringify({...answer, lines: rows}, null, 2)}\n`;
  const table = formatRows(format === 'table' ? rows.slice(0, mostRows) : rows, columnsFor(rows), format);
  if (format === 'csv') return table;
  const head = headLines(answer).map(format === 'markdown' ? markdownCell : oneLine);
  const path = whatIfText({...answer, notes: []}, false, format);
  const mark = format === 'markdown' ? '## ' : '';
  const cut = rows.length > mostRows && format === 'table' ? ` (${String(mostRows)} of ${String(rows.length)})` : '';
  const parts = [head.join(format === 'markdown' ? '\n\n' : '\n')];
  if (rows.length > 0) parts.push(`${mark}Ranges, predicted for ${answer.system}${cut}`, table.trimEnd());
  const at = path.indexOf(`${mark}Critical path`);
  if (at >= 0) parts.push(path.slice(at).replace('Critical path', 'Predicted critical path').trimEnd());
  return `${parts.join('\n\n')}\n`;
}

function headLines({
  system,
  measuredNs,
  predictedNs,
  intervalNs,
  predictedGpuWorkNs,
  notes,
}: Omit<PredictedStep, 'ranges'>): string[] {
  const interval = intervalNs ? `, between ${formatDuration(intervalNs[0])} and ${formatDuration(intervalNs[1])}` : '';
  return [
    `Measured   ${formatDuration(measuredNs)} on this CPU`,
    predictedNs === null
      ? `Predicted  cannot be told for ${system}`
      : `Predicted  ≈ ${formatDuration(predictedNs)} on ${system}${interval}; GPU work ≈ ${formatDuration(predictedGpuWorkNs)}`,
    ...notes.map(({text}) => `Note: ${text}`),
  ];
}

function columnsFor(rows: readonly Row[]): Column<Row>[] {
  const hasPlaces = rows.some(({file}) => file !== null);
  return [
    {key: 'name', title: 'Range', value: ({name}) => name},
    {
      key: 'predictedGpuWorkNs',
      title: 'GPU Work/Step',
      value: row => row.predictedGpuWorkNs,
      text: row => `≈ ${formatDuration(row.predictedGpuWorkNs)}`,
    },
    {
      key: 'predictedBackwardGpuWorkNs',
      title: 'Backward/Step',
      value: row => row.predictedBackwardGpuWorkNs,
      text: row => `≈ ${formatDuration(row.predictedBackwardGpuWorkNs)}`,
    },
    ...(hasPlaces
      ? [
          {key: 'file', title: 'File', value: (row: Row) => row.file},
          {key: 'line', title: 'Line', value: (row: Row) => row.line},
        ]
      : []),
  ];
}
