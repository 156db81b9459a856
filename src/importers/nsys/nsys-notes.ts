import {pushAll} from '../../core/table/extremes.js';
import {formatCount} from '../../core/format/count.js';
import {countedNote, noteOf, type TraceNote} from '../../core/trace/trace-note.js';
import {noGpuWorkNote} from '../reading/shared-notes.js';
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
  pushAll(notes, lossesOf(db, reader));
  const hasKernels = reader.rows('kernel') > 0;
  const graphs = reader.rows('graph');
  if (graphs > 0) {
    notes.push(
      countedNote(
        'gpu/whole-graphs',
        graphs,
        '{0} launch of a CUDA graph was traced as a whole, so the kernels inside are not in the report. Record with --cuda-graph-trace=node to see them.',
        '{0} launches of CUDA graphs were traced as a whole, so the kernels inside are not in the report. Record with --cuda-graph-trace=node to see them.',
      ),
    );
  } else if (!hasKernels) {
    notes.push(noGpuWorkNote());
  }
  if (reader.rows('nvtx_pushpop') + reader.rows('nvtx_startend') === 0) {
    notes.push(noteOf('ranges/none', 'There are no NVTX ranges in this report.'));
  }
  if (reader.openRanges > 0) {
    notes.push(
      countedNote(
        'ranges/open',
        reader.openRanges,
        '{0} NVTX range was open when the recording stopped. GPU Lens ends it at the last event.',
        '{0} NVTX ranges were open when the recording stopped. GPU Lens ends them at the last event.',
      ),
    );
  }
  pushAll(notes, forksOf(reader));
  if (reader.untimedOperations > 0) {
    notes.push(
      countedNote(
        'gpu/untimed',
        reader.untimedOperations,
        '{0} GPU operation was left out because the profiler recorded no time for it: its start and end are 0.',
        '{0} GPU operations were left out because the profiler recorded no times for them: their starts and ends are 0.',
      ),
    );
  }
  if (reader.invalidRows > 0) {
    notes.push(
      countedNote(
        'rows/invalid',
        reader.invalidRows,
        '{0} row was left out because a time or value is missing or not a whole number, or because the end is before the start.',
        '{0} rows were left out because a time or value is missing or not a whole number, or because the end is before the start.',
      ),
    );
  }
  pushAll(notes, reader.tracks.deviceNumbers.notes());
  if (reader.unpairedSwitches > 0) {
    notes.push(
      countedNote(
        'scheduling/unpaired',
        reader.unpairedSwitches,
        '{0} scheduling event was left out because the report lacks the matching switch to or from the CPU.',
        '{0} scheduling events were left out because the report lacks the matching switches to or from the CPU.',
      ),
    );
  }
  if (reader.unreadable.length > 0) {
    const names = [...new Set(reader.unreadable)].join(', ');
    notes.push(noteOf('tables/damaged', 'Damaged, and read in part or not at all: {0}.', names));
  }
  const hidden = hiddenTables(db);
  if (hidden.length > 0) {
    const names = hidden.slice(0, mostTables).join(', ');
    const more = hidden.length - mostTables;
    notes.push(
      more > 0
        ? countedNote(
            'tables/not-shown',
            more,
            'Recorded, but not shown: {1} and {0} other table.',
            'Recorded, but not shown: {1} and {0} other tables.',
            names,
          )
        : noteOf('tables/not-shown', 'Recorded, but not shown: {0}.', names),
    );
  }
  pushAll(notes, diagnosticsOf(db));
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

function lossesOf(db: NsysDatabase, {unreadTables}: NsysReader): TraceNote[] {
  const notes: TraceNote[] = [];
  const {missingBytes, damagedTables} = db;
  if (missingBytes > 0) {
    notes.push(
      countedNote(
        'file/truncated',
        missingBytes,
        'The file is cut off: {0} byte is missing. GPU Lens shows what is there.',
        'The file is cut off: {0} bytes are missing. GPU Lens shows what is there.',
      ),
    );
  } else if (damagedTables.length > 0) {
    const names = damagedTables.join(', ');
    notes.push(noteOf('file/damaged', 'Damaged, and shown up to the damage: {0}.', names));
  }
  if (unreadTables.length > 0) notes.push(noteOf('tables/unread', 'Not read: {0}.', unreadTables.join(', ')));
  return notes;
}

/**
 * nsys follows a process that starts another program, but follows a forked process before that only if told to. The
 * report does not list forked processes: there are as many as calls of fork, and those with events are counted.
 */
function forksOf({forks, tracks}: NsysReader): TraceNote[] {
  const others = Math.max(0, tracks.processCount - 1);
  if (forks <= others) return [];
  if (others === 0) {
    return [
      countedNote(
        'processes/forked',
        forks,
        '{0} process was forked, but the report has no events of it. Record with --trace-fork-before-exec=true to see what a forked process does before it starts another program.',
        '{0} processes were forked, but the report has no events of them. Record with --trace-fork-before-exec=true to see what a forked process does before it starts another program.',
      ),
    ];
  }
  return [
    countedNote(
      'processes/forked',
      others,
      '{1} processes were forked, but the report has events of only {0} process besides the first. Record with --trace-fork-before-exec=true to see what a forked process does before it starts another program.',
      '{1} processes were forked, but the report has events of only {0} processes besides the first. Record with --trace-fork-before-exec=true to see what a forked process does before it starts another program.',
      formatCount(forks),
    ),
  ];
}

/** The profiler's own warnings: each text once, with its number of occurrences. */
function diagnosticsOf(db: NsysDatabase): TraceNote[] {
  const notes: TraceNote[] = [];
  if (!db.has('DIAGNOSTIC_EVENT', 'severity', 'text')) return notes;
  const sql = `select text, count(*), max(severity) from DIAGNOSTIC_EVENT where severity >= ${String(warning)}
    group by text order by max(severity) desc, count(*) desc limit 10`;
  for (const [text, times, severity] of db.rows<[unknown, number, number]>(sql)) {
    if (typeof text !== 'string') continue;
    const line = text.replace(/\s+/g, ' ').trim().slice(0, 300);
    const label = severity > warning ? 'error' : 'warning';
    notes.push({code: `nsys/${label}`, text: `nsys ${label}${times > 1 ? ` (${String(times)} times)` : ''}: ${line}`});
  }
  return notes;
}
