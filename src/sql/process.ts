import {totalmem} from 'node:os';
import {join} from 'node:path';
import {Worker} from 'node:worker_threads';
import type {FromSqlProcess, ToSqlProcess} from './messages.js';
import {QuerySession} from './query-session.js';
import type {Watched} from './watch.js';

/** A trace and a few of its columns need that much on any machine. */
const leastMemoryBytes = 1e9;

const session = new QuerySession();
let isWatched = false;
let whenTaken: (() => void) | null = null;

process.on('message', (message: ToSqlProcess) => {
  if (message.kind === 'more') {
    whenTaken?.();
    return;
  }
  if (!isWatched) startWatching(message.source.memoryLimitBytes ?? Math.max(leastMemoryBytes, machineMemory() / 2));
  isWatched = true;
  if (message.kind === 'cells') void session.cells(message.source, message.statements, send);
  else void session.run(message.source, message.sql, message.limitRows, send);
});
process.on('disconnect', () => process.exit());

/** Progress is not waited for; rows are, so that no more than one message of them is on its way. */
function send(message: FromSqlProcess): Promise<void> | void {
  process.send?.(message);
  return message.kind === 'rows' ? new Promise(resolve => (whenTaken = resolve)) : undefined;
}

function machineMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

function startWatching(memoryLimitBytes: number): void {
  const watched: Watched = {parent: process.ppid, memoryLimitBytes};
  new Worker(join(__dirname, 'sql-watch.cjs'), {workerData: watched}).unref();
}
