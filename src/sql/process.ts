import {machineBytes} from '../importers/reading/memory-limit.js';
import {watchProcess} from '../importers/watched/watch-process.js';
import type {FromSqlProcess, ToSqlProcess} from './messages.js';
import {QuerySession} from './query-session.js';

/** The least limit: a trace and a few of its columns need this much on any machine. */
const leastMemoryBytes = 1e9;

const session = new QuerySession();
let isWatched = false;
let whenTaken: (() => void) | null = null;

process.on('message', (message: ToSqlProcess) => {
  if (message.kind === 'more') {
    whenTaken?.();
    return;
  }
  if (!isWatched) watchProcess(message.source.memoryLimitBytes ?? Math.max(leastMemoryBytes, machineBytes() / 2));
  isWatched = true;
  if (message.kind === 'cells') void session.cells(message.source, message.statements, send);
  else void session.run(message.source, message.sql, message.limitRows, send);
});

/** Waits for the receiver after rows, so that only one message of rows is in transit, but not after progress. */
function send(message: FromSqlProcess): Promise<void> | void {
  process.send?.(message);
  return message.kind === 'rows' ? new Promise(resolve => (whenTaken = resolve)) : undefined;
}
