import {formatCount} from '../core/format/count.js';
import {formatBytes, memorySizesText} from '../core/memory-snapshot/format-bytes.js';
import type {EstimateBeside} from '../core/memory-snapshot/estimate-beside.js';
import type {CodePlace, LiveRow, MemoryGrouping} from '../core/memory-snapshot/live-rows.js';
import type {MemoryAt, MemoryReport} from '../core/memory-snapshot/memory-report.js';
import type {DifferenceRow} from '../core/memory-snapshot/row-difference.js';
import {estimateBesideText} from './memory-estimate.js';
import {formatRows, type Column, type OutputFormat} from './report.js';

/**
 * A report as `gpu-lens memory` prints it; `other` is the one that `--diff` names, and its rows are in `rows`. CSV and
 * Markdown have the rows alone.
 */
export function memoryText(
  report: MemoryReport,
  rows: readonly (LiveRow | DifferenceRow)[],
  other: MemoryReport | null,
  by: MemoryGrouping,
  format: OutputFormat,
  beside: EstimateBeside | null,
): string {
  if (format === 'json') return asJson(report, rows, other, beside);
  const table = formatRows(rows, columnsFor(by, other !== null), format);
  if (format !== 'table') return table;
  const head = [...headLines(report, ''), ...(other ? headLines(other, 'Other: ') : [])];
  return `${head.join('\n')}\n\n${table}${beside ? estimateBesideText(beside) : ''}`;
}

/** The keys of the contract come first and in its order. */
function asJson(
  report: MemoryReport,
  rows: readonly LiveRow[],
  other: MemoryReport | null,
  beside: EstimateBeside | null,
): string {
  const {events, peak, end, notes, device, at} = report;
  const value = {
    events,
    peak,
    end,
    rows,
    notes,
    device,
    at,
    ...(other && {other: summaryOf(other)}),
    ...(beside && {estimate: beside}),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function summaryOf({events, peak, end, notes, device, at}: MemoryReport): object {
  return {events, peak, end, notes, device, at};
}

function headLines({name, events, peak, end, at}: MemoryReport, prefix: string): string[] {
  const lines = [
    `${name}, ${formatCount(events)} events`,
    `Peak   ${momentText(peak)}`,
    `End    ${memorySizesText(end)}`,
  ];
  if (at.event !== peak.event) lines.push(`Shown  ${momentText(at)}`);
  return lines.map(line => `${prefix}${line}`);
}

function momentText(at: MemoryAt): string {
  const when = at.event === null ? 'before the first event' : `after event ${formatCount(at.event)}`;
  return `${memorySizesText(at)}, ${when}`;
}

type Row = LiveRow | DifferenceRow;
type DifferenceKey = 'bytes' | 'blocks' | 'otherBytes' | 'otherBlocks' | 'deltaBytes' | 'deltaBlocks';

const bytes = (key: DifferenceKey, title: string): Column<Row> => ({
  key,
  title,
  value: row => numberOf(row, key),
  text: row => formatBytes(numberOf(row, key)),
});

const blocks = (key: DifferenceKey, title: string): Column<Row> => ({
  key,
  title,
  value: row => numberOf(row, key),
});

/** Rows of one snapshot alone have no columns of another. */
function numberOf(row: Row, key: DifferenceKey): number {
  return 'otherBytes' in row ? row[key] : key === 'blocks' ? row.blocks : row.bytes;
}

function columnsFor(by: MemoryGrouping, isDifference: boolean): Column<Row>[] {
  const counts = [bytes('bytes', 'Bytes'), blocks('blocks', 'Blocks')];
  if (isDifference) {
    counts.push(bytes('otherBytes', 'Other'), blocks('otherBlocks', 'Other blocks'));
    counts.push(bytes('deltaBytes', 'Change'), blocks('deltaBlocks', 'Change of blocks'));
  }
  const place: Column<Row>[] = [
    {
      key: 'file',
      title: 'File',
      value: ({file}) => file,
      text: ({file, function: name}) => file ?? (name === null ? '(no line of your code)' : ''),
    },
    {key: 'line', title: 'Line', value: ({line}) => line},
    {key: 'function', title: 'Function', value: row => row.function},
  ];
  return [...counts, ...place, ...groupColumns[by]];
}

const groupColumns: Readonly<Record<MemoryGrouping, readonly Column<Row>[]>> = {
  line: [],
  stack: [{key: 'stack', title: 'Stack', value: ({stack}) => (stack ?? []).map(frameText).join('; ')}],
  segment: [
    {
      key: 'address',
      title: 'Segment',
      value: ({address}) => address ?? null,
      text: ({address}) => (typeof address === 'number' ? `0x${address.toString(16)}` : ''),
    },
    {
      key: 'segmentBytes',
      title: 'Segment size',
      value: ({segmentBytes}) => segmentBytes ?? null,
      text: ({segmentBytes}) => (typeof segmentBytes === 'number' ? formatBytes(segmentBytes) : ''),
    },
  ],
};

function frameText({file, line, function: name}: CodePlace): string {
  return `${name ?? ''} ${file ?? ''}:${String(line ?? '')}`;
}
