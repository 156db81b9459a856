import {formatCount, plural} from '../../core/format/count.js';
import type {TraceNote} from '../../core/trace/trace.js';
import type {NsysDatabase} from './nsys-database.js';
import type {NsysReader} from './nsys-reader.js';

/** Tables of events that are not shown, by what a person calls them. */
const notShownTables: readonly (readonly [table: string, what: string])[] = [
  ['CUPTI_ACTIVITY_KIND_SYNCHRONIZATION', 'CUDA synchronisation'],
  ['COMPOSITE_EVENTS', 'CPU samples'],
  ['SCHED_EVENTS', 'thread scheduling'],
  ['GPU_METRICS', 'GPU metrics'],
  ['CUDA_GPU_MEMORY_USAGE_EVENTS', 'GPU memory usage'],
  ['CUDNN_EVENTS', 'cuDNN calls'],
  ['CUBLAS_EVENTS', 'cuBLAS calls'],
  ['MPI_P2P_EVENTS', 'MPI'],
  ['MPI_COLLECTIVES_EVENTS', 'MPI collectives'],
];

/** ENUM_DIAGNOSTIC_SEVERITY_LEVEL: 1 is information, 2 a warning, 3 an error. */
const warning = 2;

/** What a reader of this report's figures must know. */
export function nsysNotes(db: NsysDatabase, reader: NsysReader): TraceNote[] {
  const notes: TraceNote[] = [];
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
  if (reader.invalidRows > 0) {
    add('rows/invalid', `${plural(reader.invalidRows, 'row')} without a valid start and end left out.`);
  }
  const hidden = notShownTables.filter(([table]) => db.count(table) > 0).map(([, what]) => what);
  if (hidden.length > 0) add('tables/not-shown', `Recorded, but not shown yet: ${hidden.join(', ')}.`);
  addDiagnostics(db, add);
  return notes;
}

function addLosses(db: NsysDatabase, {unreadTables}: NsysReader, add: (code: string, text: string) => void): void {
  const {missingBytes, damagedTables} = db;
  if (missingBytes > 0) {
    add('file/truncated', `The file is cut off: ${plural(missingBytes, 'byte')} are missing. What is there is shown.`);
  } else if (damagedTables.length > 0) {
    add('file/damaged', `Damaged, and shown up to there: ${damagedTables.join(', ')}.`);
  }
  if (unreadTables.length > 0) add('tables/unread', `Not read: ${unreadTables.join(', ')}.`);
}

/** The profiler's own warnings: each text once, with how often it came. */
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
