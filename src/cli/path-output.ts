import {markdownCell, oneLine} from '../core/format/cells.js';
import {formatCount} from '../core/format/count.js';
import {formatDuration, formatPercent} from '../core/format/duration.js';
import type {PathAnswer} from '../core/what-if/recorded/path-answer.js';
import type {PathOperation} from '../core/what-if/recorded/path-operations.js';
import {pathSharers, type PathShare, type PathSharer} from '../core/what-if/recorded/path-shares.js';
import {formatRows, type Column, type OutputFormat} from './report.js';

/** What the rows of the output are: parts of the path, or the GPU operations beside it. */
export const pathRowKinds = [...pathSharers, 'operation'] as const;
export type PathRowKind = (typeof pathRowKinds)[number];

/** A screen holds no more rows; the other formats have all. */
const mostRows = 25;

/** Returns a recorded critical path in an output format, with a final line feed; JSON has everything, CSV the rows alone. */
export function pathText(answer: PathAnswer, by: PathRowKind, format: OutputFormat): string {
  if (format === 'json') return `${JSON.stringify(answer, null, 2)}\n`;
  const cut = <Row>(rows: readonly Row[]) => (format === 'table' ? rows.slice(0, mostRows) : rows);
  const table =
    by === 'operation'
      ? formatRows(cut(answer.operations), operationColumns, format)
      : formatRows(cut(answer.shares[by]), shareColumns(answer, by), format);
  if (format === 'csv') return table;
  const lines = headLines(answer).map(format === 'markdown' ? markdownCell : oneLine);
  return `${lines.join(format === 'markdown' ? '\n\n' : '\n')}\n\n${table}`;
}

function headLines({window, windowNs, pathNs, events, notes}: PathAnswer): string[] {
  return [
    `Critical path of ${window}: ${formatDuration(pathNs)} of ${formatDuration(windowNs)} (${formatPercent(pathNs, windowNs)}), through ${formatCount(events)} events`,
    ...notes.map(({text}) => `Note: ${text}`),
  ];
}

const titles: Readonly<Record<PathSharer, string>> = {kind: 'Kind', class: 'Class', line: 'Line', module: 'Module'};

function shareColumns({pathNs}: PathAnswer, by: PathSharer): Column<PathShare>[] {
  return [
    {key: 'ns', title: 'Time', value: ({ns}) => ns, text: ({ns}) => formatDuration(ns)},
    {
      key: 'share',
      title: 'Share',
      value: ({ns}) => (pathNs > 0 ? ns / pathNs : 0),
      text: ({ns}) => formatPercent(ns, pathNs),
    },
    {key: by, title: titles[by], value: ({name}) => name},
  ];
}

const operationColumns: Column<PathOperation>[] = [
  {key: 'startNs', title: 'Start', value: ({startNs}) => startNs, text: ({startNs}) => formatDuration(startNs)},
  {key: 'ns', title: 'Time', value: ({ns}) => ns, text: ({ns}) => formatDuration(ns)},
  {
    key: 'slackNs',
    title: 'Slack',
    value: ({slackNs}) => slackNs,
    text: ({slackNs, isCritical}) => (isCritical ? 'critical' : formatDuration(slackNs)),
  },
  {
    key: 'isCritical',
    title: 'On the path',
    value: ({isCritical}) => isCritical,
    text: ({isCritical}) => (isCritical ? 'yes' : ''),
  },
  {key: 'name', title: 'Name', value: ({name}) => name},
];
