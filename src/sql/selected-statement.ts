import {attributionOf} from '../core/scope/attribution-of.js';
import {processesOfPid} from '../core/scope/processes.js';
import {rangesNamed, type Selection} from '../core/scope/selection.js';
import {periodsNumbered, type StepPeriod} from '../core/scope/innermost-steps.js';
import {parseRangeFilter} from '../core/scope/range-filter.js';
import {greatest, least} from '../core/table/extremes.js';
import type {Trace} from '../core/trace/trace.js';
import {findSqlTable} from './schema.js';

/** Limits a statement about a whole profile to a part of it. */
export type Select = (statement: string) => string;

/** The tables of events on threads. */
const threadTables = ['slices', 'api_calls', 'operators', 'ranges'] as const;

/**
 * Returns a function that limits statements to a selection: common table expressions replace the tables, so that anyone
 * can run the statement again on the file. The selection is that of `selectOperations` and `selectSlices`.
 *
 * @returns statements unchanged if nothing is selected
 * @throws TraceError `selection/no-match` if no range, step or process matches
 */
export function selectedStatements(trace: Trace, selection: Selection): Select {
  const {step, process} = selection;
  const ofProcess = process === undefined ? null : processesOfPid(trace, process);
  const periods = step === undefined ? [] : periodsNumbered(trace, step, ofProcess);
  const inStep: InStep = atNs => (step === undefined ? [] : [inPeriods(periods, atNs)]);
  const operations = [...timesIn(selection), ...operationsIn(selection, inStep)];
  const onThreads = [...timesIn(selection), ...threadsIn(selection, inStep)];
  if (operations.length + onThreads.length === 0) return statement => statement;
  const onCollectives = collectivesIn(selection, inStep);
  const inside = [...periodsTable(trace, periods), ...rangesIn(trace, selection)];
  return statement => {
    // A statement may have an expression of its own with the name of a table.
    const isRead = (table: string) => !new RegExp(`\\b${table}\\s+AS\\s+\\(`, 'i').test(statement);
    const tables = [
      ...inside,
      selectedTable('gpu_operations', operations, statement),
      `kernels AS (SELECT * FROM gpu_operations WHERE kind = 'kernel')`,
      ...threadTables.filter(isRead).map(table => selectedTable(table, onThreads, statement)),
      ...(isRead('collectives') ? [selectedTable('collectives', onCollectives, statement)] : []),
      ...(timesIn(selection).length > 0
        ? ['counters', 'instants'].filter(isRead).map(table => pointsIn(table, selection, statement))
        : []),
    ];
    // One WITH RECURSIVE applies to all expressions of a statement.
    const own = statement.replace(/^\s*WITH\s+(RECURSIVE\s+)?/i, '');
    return `WITH RECURSIVE ${tables.join(', ')}${own === statement ? ' ' : ', '}${own}`;
  };
}

/** Selects a table's rows by conditions, with only the columns that the statement names: others need not be filled. */
function selectedTable(table: string, conditions: readonly string[], statement: string): string {
  const needed = new Set(['id', 'slice_id', 'kind', 'start_ns', 'end_ns', 'duration_ns']);
  const isNamed = (column: string) => needed.has(column) || new RegExp(`\\b${column}\\b`, 'i').test(statement);
  const all = findSqlTable(table)?.columns.map(({name}) => name) ?? [];
  const columns = /\bSELECT\s+(\w+\.)?\*/i.test(statement) ? ['*'] : all.filter(isNamed);
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  return `${table} AS (SELECT ${columns.join(', ')} FROM main.${table} AS t${where})`;
}

/** Tables of moments, which have no end: a window treats them differently. */
function pointsIn(table: string, {fromNs, toNs}: Selection, statement: string): string {
  return selectedTable(
    table,
    [
      ...(fromNs === undefined ? [] : [`t.at_ns >= ${String(fromNs)}`]),
      ...(toNs === undefined ? [] : [`t.at_ns < ${String(toNs)}`]),
    ],
    statement,
  );
}

/** A window contains slices that overlap it for some time, and moments from its beginning on. */
function timesIn({fromNs, toNs}: Selection): string[] {
  return [
    ...(toNs === undefined ? [] : [`t.start_ns < ${String(toNs)}`]),
    ...(fromNs === undefined
      ? []
      : [`(t.end_ns > ${String(fromNs)} OR (t.duration_ns = 0 AND t.start_ns >= ${String(fromNs)}))`]),
  ];
}

function operationsIn({device, stream, process, range, pass}: Selection, inStep: InStep): string[] {
  return [
    ...(device === undefined ? [] : [`t.device = ${String(device)}`]),
    ...(stream === undefined ? [] : [`t.stream = ${String(stream)}`]),
    ...processIn(process),
    ...inStep('coalesce(t.launch_start_ns, t.start_ns)'),
    ...(range === undefined ? [] : ['t.range_id IN (SELECT id FROM _inside)']),
    ...(pass === undefined ? [] : [passIn(pass)]),
  ];
}

/** Collectives have neither a stream nor a range: if a selection has one, it contains no collectives. */
function collectivesIn(selection: Selection, inStep: InStep): string[] {
  const {device, stream, process, range, pass} = selection;
  return [
    ...timesIn(selection),
    ...(device === undefined ? [] : [`t.device = ${String(device)}`]),
    ...processIn(process),
    ...inStep('t.start_ns'),
    ...(stream === undefined && range === undefined && pass === undefined ? [] : ['0']),
  ];
}

function threadsIn({process, range}: Selection, inStep: InStep): string[] {
  return [
    ...processIn(process).map(onThread),
    ...inStep('t.start_ns').map(onThread),
    ...(range === undefined
      ? []
      : [
          'EXISTS (SELECT 1 FROM _open AS o WHERE o.track_id = t.track_id AND t.start_ns >= o.start_ns AND (t.start_ns < o.end_ns OR t.start_ns = o.start_ns))',
        ]),
  ];
}

/** Work that autograd launched has the range of its forward work. Work without a launch belongs to neither pass. */
function passIn(pass: NonNullable<Selection['pass']>): string {
  const isBackward = "(t.is_backward = 1 OR t.bucket IS '(backward, unmatched)')";
  return pass === 'backward' ? isBackward : `(t.launch_slice_id IS NOT NULL AND NOT ${isBackward})`;
}

function processIn(pid: string | undefined): string[] {
  return pid === undefined ? [] : [`t.pid = ${quoted(pid)}`];
}

/** Tables of threads name the process by their track's row. */
const onThread = (condition: string): string =>
  condition.replaceAll('t.pid =', '(SELECT pid FROM main.tracks WHERE id = t.track_id) =');

/** Returns the condition that a column's time is in the selected step; none if no step is selected. */
type InStep = (atNs: string) => string[];

/** A chain of OR is limited in depth; a list of values is not. Most rows are told by the outer times alone. */
function inPeriods(periods: readonly StepPeriod[], atNs: string): string {
  if (periods.length === 0) return '0';
  const fromNs = least(periods.map(period => period.fromNs));
  const toNs = greatest(periods.map(period => period.toNs));
  const isInside = `EXISTS (SELECT 1 FROM _periods AS p WHERE (p.pid IS NULL OR t.pid = p.pid) AND ${atNs} >= p.from_ns AND ${atNs} < p.to_ns)`;
  return `${atNs} >= ${String(fromNs)} AND ${atNs} < ${String(toNs)} AND ${isInside}`;
}

/** `_periods` has the times of the selected step. */
function periodsTable(trace: Trace, periods: readonly StepPeriod[]): string[] {
  const rows = periods.map(({process, fromNs, toNs}) => {
    // A trace with only GPU work may have no process.
    const pid = process < 0 ? 'NULL' : quoted(trace.processes[process].pid);
    return `(${pid}, ${String(fromNs)}, ${String(toNs)})`;
  });
  return rows.length === 0 ? [] : [`_periods(pid, from_ns, to_ns) AS (VALUES ${rows.join(', ')})`];
}

/** `_open` has the selected ranges, and `_inside` these with everything inside them. */
function rangesIn(trace: Trace, {range}: Selection): string[] {
  if (range === undefined) return [];
  const attribution = attributionOf(trace);
  const found = [...rangesNamed(trace, attribution, range)];
  const names = new Set(found.map(id => trace.strings.get(trace.slices.name[attribution.ranges.slice[id] ?? 0] ?? 0)));
  const isMeant =
    parseRangeFilter(range).index === null
      ? `name IN (${[...names].map(quoted).join(', ')})`
      : `id IN (${found.map(String).join(', ')})`;
  return [
    `_open AS (SELECT id, track_id, start_ns, end_ns FROM main.ranges WHERE ${isMeant})`,
    '_inside(id) AS (SELECT id FROM _open UNION SELECT r.id FROM main.ranges AS r JOIN _inside ON r.parent_id = _inside.id)',
  ];
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
