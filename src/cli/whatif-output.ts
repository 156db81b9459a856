import {markdownCell, oneLine} from '../core/format/cells.js';
import {formatDuration, formatPercent} from '../core/format/duration.js';
import type {PathRow} from '../core/what-if/replay/path-rows.js';
import type {WhatIfAnswer} from '../core/what-if/what-if.js';
import {formatRows, type Column, type OutputFormat} from './report.js';

/** A screen holds no more rows; the other formats have all. */
const mostRows = 25;

/**
 * A replay in one of the output formats, with a final line feed; CSV has the critical path alone.
 *
 * @param isChanged whether changes were asked for
 */
export function whatIfText(answer: WhatIfAnswer, isChanged: boolean, format: OutputFormat): string {
  if (format === 'json') return `${JSON.stringify(answer, null, 2)}\n`;
  const {criticalPath: rows} = answer;
  const table = formatRows(format === 'table' ? rows.slice(0, mostRows) : rows, columnsFor(rows), format);
  if (format === 'csv') return table;
  const lines = headLines(answer, isChanged).map(format === 'markdown' ? markdownCell : oneLine);
  const cut =
    format === 'table' && rows.length > mostRows ? ` (${String(mostRows)} of ${String(rows.length)} rows)` : '';
  const title = `${format === 'markdown' ? '## ' : ''}Critical path${isChanged ? ' with the changes' : ''}${cut}`;
  const head = lines.join(format === 'markdown' ? '\n\n' : '\n');
  return rows.length === 0 ? `${head}\n` : `${head}\n\n${title}\n\n${table}`;
}

function headLines(
  {measuredNs, replayedNs, errorPercent, predictedNs, intervalNs, notes}: WhatIfAnswer,
  isChanged: boolean,
): string[] {
  const error = errorPercent === null ? '' : ` (${errorPercent < 0 ? '' : '+'}${String(errorPercent)} %)`;
  const lines = [`Measured   ${formatDuration(measuredNs)}`];
  if (replayedNs !== null) lines.push(`Replayed   ${formatDuration(replayedNs)}${error}`);
  if (isChanged && predictedNs === null) lines.push('Predicted  cannot be told');
  if (isChanged && predictedNs !== null && intervalNs !== null) {
    const [low, high] = intervalNs;
    const gain = `${predictedNs <= measuredNs ? '-' : '+'}${formatPercent(Math.abs(predictedNs - measuredNs), measuredNs)}`;
    lines.push(
      `Predicted  ${formatDuration(predictedNs)} (${gain}), between ${formatDuration(low)} and ${formatDuration(high)}`,
    );
  }
  return [...lines, ...notes.map(({text}) => `Note: ${text}`)];
}

function columnsFor(rows: readonly PathRow[]): Column<PathRow>[] {
  const allNs = rows.reduce((sum, {ns}) => sum + ns, 0);
  const place: Column<PathRow>[] = [
    {key: 'file', title: 'File', value: ({file}) => file},
    {key: 'line', title: 'Line', value: ({line}) => line},
  ];
  return [
    {key: 'kind', title: 'Kind', value: ({kind}) => kind},
    {key: 'ns', title: 'Time', value: ({ns}) => ns, text: ({ns}) => formatDuration(ns)},
    {
      key: 'share',
      title: 'Share',
      value: ({ns}) => (allNs > 0 ? ns / allNs : 0),
      text: ({ns}) => formatPercent(ns, allNs),
    },
    {key: 'name', title: 'Name', value: ({name}) => name},
    ...(rows.some(({file}) => file !== null) ? place : []),
  ];
}
