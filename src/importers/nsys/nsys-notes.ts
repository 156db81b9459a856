import {pushAll} from '../../core/table/extremes.js';
import {formatCount, plural} from '../../core/format/count.js';
import type {TraceNote} from '../../core/trace/trace.js';
import {eventTablesRead, nameOfEventTable} from './events/event-readers.js';
import type {NsysDatabase} from './database/nsys-database.js';
import type {NsysReader} from './database/nsys-reader.js';
import {tableReaders} from './table-readers.js';

/** Event tables that are not shown, with their display names. */
const notShownTables: Readonly<Record<string, string>> = {
  CUPTI_ACTIVITY_KIND_CUDA_EVENT: 'CUDA event records',
  CUDA_GPU_MEMORY_POOL_EVENTS: 'CUDA memory pools',
  CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH: 'host functions of CUDA graphs',
  CUDA_HOST_CALLBACK: 'host functions of streams',
  FECS_EVENTS: 'GPU context switches',
  GENERIC_EVENTS: 'generic events',
  NET_NIC_METRIC: 'network metrics',
  NIC_METRICS: 'network metrics',
  SOC_METRICS: 'SoC metrics',
  NVTXT_EVENTS: 'imported nvtxt ranges',
  OSRT_FILE_ACCESS_EVENTS: 'file accesses',
};
/** Tables with times that concern the recording, not the program. */
const metaTables = new Set(['DIAGNOSTIC_EVENT']);
/**
 * Tables that `nsys stats` scripts derive from NVTX_EVENTS and leave in the file: `NvtxPushPopRanges` and its index.
 */
const derivedTable = /^nvtx_?(pushpop|startend)/i;
/** A file may hold any number of tables, of any name. */
const mostTables = 12;
const longestName = 60;

/** ENUM_DIAGNOSTIC_SEVERITY_LEVEL: 1 is information, 2 a warning, 3 an error. */
const warning = 2;

/** Returns the notes that a reader of this report's figures needs. */
export function nsysNotes(db: NsysDatabase, reader: NsysReader): TraceNote[] {
  const notes: TraceNote[] = [...db.notes];
  const add = (code: string, text: string) => notes.push({code, text});
  addLosses(db, reader, add);
  const hasKernels = reader.rows('kernel') > 0;
  const graphs = reader.rows('graph');
  if (graphs > 0) {
    add(
      'gpu/whole-graphs',
      `${formatCount(graphs)} launches of CUDA graphs were traced as a whole: the kernels inside are not in the report (record with --cuda-graph-trace=node to see them).`,
    );
  } else if (!hasKernels) {
    add('gpu/none', 'There is no GPU work in this report: CPU time is shown instead.');
  }
  if (reader.rows('nvtx_pushpop') + reader.rows('nvtx_startend') === 0) {
    add('ranges/none', 'There are no NVTX ranges in this report.');
  }
  if (reader.openRanges > 0) {
    add(
      'ranges/open',
      `${plural(reader.openRanges, 'NVTX range')} had no end when the recording stopped: closed at the last event.`,
    );
  }
  addForks(reader, add);
  if (reader.untimedOperations > 0) {
    add(
      'gpu/untimed',
      `${plural(reader.untimedOperations, 'GPU operation')} left out: start and end are both 0, so the profiler has no times of them.`,
    );
  }
  if (reader.invalidRows > 0) {
    add(
      'rows/invalid',
      `${plural(reader.invalidRows, 'row')} left out: a time or value is missing or not a whole number, or the end lies before the start.`,
    );
  }
  pushAll(notes, reader.tracks.deviceNumbers.notes());
  if (reader.unpairedSwitches > 0) {
    add(
      'scheduling/unpaired',
      `${plural(reader.unpairedSwitches, 'scheduling event')} left out: the switch to or from the CPU that belongs to it is not in the report.`,
    );
  }
  if (reader.unreadable.length > 0) {
    add('tables/damaged', `Damaged, and read in part or not at all: ${[...new Set(reader.unreadable)].join(', ')}.`);
  }
  const hidden = hiddenTables(db);
  if (hidden.length > 0) {
    const more = hidden.length > mostTables ? ` and ${plural(hidden.length - mostTables, 'other table')}` : '';
    add('tables/not-shown', `Recorded, but not shown: ${hidden.slice(0, mostTables).join(', ')}${more}.`);
  }
  addDiagnostics(db, add);
  return notes;
}

/** Returns what unread event tables contain: those named above, and all that have a time. */
function hiddenTables(db: NsysDatabase): string[] {
  const read = eventTablesRead(db);
  for (const {table} of tableReaders) read.add(table);
  const hidden = new Set<string>();
  for (const table of db.tables) {
    const what = read.has(table) ? null : eventsOf(db, table);
    if (what !== null && !db.isEmpty(table)) hidden.add(what);
  }
  return [...hidden];
}

/** Returns the display name of a table's events; null if it has none. */
function eventsOf(db: NsysDatabase, table: string): string | null {
  const known = Object.hasOwn(notShownTables, table) ? notShownTables[table] : nameOfEventTable(table);
  if (known) return known;
  if (derivedTable.test(table)) return null;
  const isTimed = db.has(table, 'start') || db.has(table, 'timestamp');
  return isTimed && !metaTables.has(table) ? table.replace(/[\s\p{C}]+/gu, ' ').slice(0, longestName) : null;
}

function addLosses(db: NsysDatabase, {unreadTables}: NsysReader, add: (code: string, text: string) => void): void {
  const {missingBytes, damagedTables} = db;
  if (missingBytes > 0) {
    add('file/truncated', `The file is cut off: it lacks ${plural(missingBytes, 'byte')}. What is there is shown.`);
  } else if (damagedTables.length > 0) {
    add('file/damaged', `Damaged, and shown up to there: ${damagedTables.join(', ')}.`);
  }
  if (unreadTables.length > 0) add('tables/unread', `Not read: ${unreadTables.join(', ')}.`);
}

/**
 * nsys follows a process that starts another program, but follows a forked process before that only if told to. The
 * report does not list forked processes: there are as many as calls of fork, and those with events are counted.
 */
function addForks({forks, tracks}: NsysReader, add: (code: string, text: string) => void): void {
  const others = Math.max(0, tracks.processCount - 1);
  if (forks <= others) return;
  const which = others === 0 ? 'none of them' : `${formatCount(others)} beside the first`;
  const were = forks === 1 ? '1 process was' : `${formatCount(forks)} processes were`;
  add(
    'processes/forked',
    `${were} forked, and the report has events of ${which}: record with --trace-fork-before-exec=true to see what a forked process does before it starts another program.`,
  );
}

/** The profiler's own warnings: each text once, with its number of occurrences. */
function addDiagnostics(db: NsysDatabase, add: (code: string, text: string) => void): void {
  if (!db.has('DIAGNOSTIC_EVENT', 'severity', 'text')) return;
  const sql = `select text, count(*), max(severity) from DIAGNOSTIC_EVENT where severity >= ${String(warning)}
    group by text order by max(severity) desc, count(*) desc limit 10`;
  for (const [text, times, severity] of db.rows<[unknown, number, number]>(sql)) {
    if (typeof text !== 'string') continue;
    const line = text.replace(/\s+/g, ' ').trim().slice(0, 300);
    const label = severity > warning ? 'error' : 'warning';
    add(`nsys/${label}`, `nsys ${label}${times > 1 ? ` (${String(times)} times)` : ''}: ${line}`);
  }
}
