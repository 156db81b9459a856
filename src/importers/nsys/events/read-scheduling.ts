import {getOrAdd} from '../../../core/table/get-or-add.js';
import {orderByTrackAndStart} from '../../../core/table/sort.js';
import {TableBuilder, type Table} from '../../../core/table/table.js';
import {kindIndex} from '../../../core/trace/slices.js';
import {naturalOrAbsent} from '../../reading/natural-number.js';
import {processKeySql, threadIdSql} from '../database/nsys-identity.js';
import {rowsPerTurn, type NsysReader} from '../database/nsys-reader.js';
import {schedulingTrack} from './event-tracks.js';
import type {EventReader} from './event-reader.js';
import {sourceOf} from './row-place.js';

export const schedulingReader: EventReader = {
  table: 'SCHED_EVENTS',
  what: 'thread scheduling',
  columns: ['start', 'isSchedIn', 'globalTid'],
  read: readScheduling,
};

const switchSchema = {thread: 'i32', atNs: 'f64', cpu: 'i32', isIn: 'u8', rowid: 'f64'} as const;

/**
 * Reads when each thread ran on a CPU: from a switch to it until the next switch away from it, which may be missing at
 * the edges of the recording.
 */
function* readScheduling(reader: NsysReader): Generator<number> {
  const {db} = reader;
  const sql = `select rowid, start, ${db.column('SCHED_EVENTS', 'cpu', '-1')}, isSchedIn, ${processKeySql('globalTid')},
    ${threadIdSql('globalTid')} from SCHED_EVENTS`;
  const switches = new TableBuilder(switchSchema, 4096);
  // Sorting takes as much memory again.
  const forget = reader.budget.watch(() => 2 * switches.rowBytes);
  const threads = new Map<number, Map<number, number>>();
  const tracks: number[] = [];
  type Row = [number, number, number, number, number, number];
  let lastKey = NaN;
  let lastTid = NaN;
  let thread = -1;
  let rows = 0;
  for (const [rowid, start, cpu, isIn, key, tid] of db.rows<Row>(sql)) {
    if (key !== lastKey || tid !== lastTid) {
      const byTid = getOrAdd(threads, key, () => new Map<number, number>());
      thread = getOrAdd(byTid, tid, () => tracks.push(schedulingTrack(reader, key, tid)) - 1);
      lastKey = key;
      lastTid = tid;
    }
    if (Number.isSafeInteger(start)) {
      const row = switches.add();
      const {columns} = switches;
      columns.thread[row] = thread;
      columns.atNs[row] = start;
      columns.cpu[row] = naturalOrAbsent(cpu);
      columns.isIn[row] = isIn === 1 ? 1 : 0;
      columns.rowid[row] = rowid;
    } else reader.invalidRows++;
    if (++rows % rowsPerTurn === 0) yield rowsPerTurn;
  }
  addRuns(reader, switches.finish(), tracks);
  forget();
  yield rows % rowsPerTurn;
}

/** Pairs the switches of each thread. A switch without a counterpart makes no slice, and is counted. */
function addRuns(reader: NsysReader, switches: Table<typeof switchSchema>, tracks: readonly number[]): void {
  const {thread, atNs, cpu, isIn, rowid, length} = switches;
  const order = orderByTrackAndStart(thread, atNs, length);
  let open = -1;
  for (const at of order) {
    if (open >= 0 && thread[open] !== thread[at]) {
      reader.unpairedSwitches++;
      open = -1;
    }
    if (isIn[at] === 1) {
      if (open >= 0) reader.unpairedSwitches++;
      open = at;
    } else if (open < 0) reader.unpairedSwitches++;
    else {
      const name = reader.builder.strings.intern(cpu[open] < 0 ? 'running' : `CPU ${String(cpu[open])}`);
      const source = sourceOf('SCHED_EVENTS', rowid[open]);
      reader.slice(tracks[thread[open]] ?? 0, atNs[open], atNs[at], name, kindIndex.thread_running, source);
      open = -1;
    }
  }
  if (open >= 0) reader.unpairedSwitches++;
}
