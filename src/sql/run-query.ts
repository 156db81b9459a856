import type {PreparedQuery} from './trace-database.js';
import type {FromSqlProcess, SqlCell, SqlEnd} from './messages.js';

/** The approximate size of a message, so that the other end can show progress and cancel. */
const rowsPerMessage = 1000;
const lettersPerMessage = 1 << 20;
/** Longer texts are useless in a table, and could have a gigabyte. */
const longestText = 1_000_000;
/** How long rows beyond the limit are counted. */
const countingMs = 3000;
const rowsBetweenLooks = 1024;

/**
 * Runs a query: sends its columns, then its rows up to the limit, and counts the rest for some seconds.
 *
 * @param send sends a message, and resolves when the other end has processed it
 */
export async function runQuery(
  {statement}: PreparedQuery,
  limitRows: number,
  send: (message: FromSqlProcess) => Promise<void> | void,
): Promise<SqlEnd> {
  const beganMs = performance.now();
  await send({kind: 'columns', columns: distinctNames(statement.columns().map(({name}) => name))});
  const rows = statement.iterate();
  const sent = await sendRows(rows, limitRows, send);
  const {extra, isCounted} = sent.isAll ? {extra: 0, isCounted: true} : countRows(rows);
  return {
    rowCount: sent.count + extra,
    isCounted,
    sentRows: sent.count,
    cutTexts: sent.cutTexts,
    ranMs: performance.now() - beganMs,
  };
}

async function sendRows(
  rows: IterableIterator<unknown[]>,
  limitRows: number,
  send: (message: FromSqlProcess) => Promise<void> | void,
): Promise<{count: number; isAll: boolean; cutTexts: number}> {
  let count = 0;
  let cutTexts = 0;
  let batch: SqlCell[][] = [];
  let letters = 0;
  while (count < limitRows) {
    const {value, done} = rows.next() as IteratorResult<unknown[], undefined>;
    if (done) break;
    const row = value.map(cellOf);
    for (let at = 0; at < row.length; at++) {
      const cell = row[at];
      if (typeof cell !== 'string') continue;
      if (cell.length > longestText) {
        row[at] = `${cell.slice(0, longestText)}…`;
        cutTexts++;
      }
      letters += Math.min(cell.length, longestText);
    }
    batch.push(row);
    count++;
    if (batch.length < rowsPerMessage && letters < lettersPerMessage) continue;
    await send({kind: 'rows', rows: batch});
    batch = [];
    letters = 0;
  }
  if (batch.length > 0) await send({kind: 'rows', rows: batch});
  return {count, isAll: count < limitRows, cutTexts};
}

function countRows(rows: IterableIterator<unknown[]>): {extra: number; isCounted: boolean} {
  const endMs = performance.now() + countingMs;
  for (let extra = 0; ; extra++) {
    if (rows.next().done) return {extra, isCounted: true};
    if (extra % rowsBetweenLooks === 0 && performance.now() > endMs) {
      rows.return?.();
      return {extra: extra + 1, isCounted: false};
    }
  }
}

/** Returns a value for a message: integers as numbers if a double holds them, bytes as SQL literals. */
export function cellOf(value: unknown): SqlCell {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (Buffer.isBuffer(value)) return `x'${value.subarray(0, longestText / 2).toString('hex')}'`;
  return value as SqlCell;
}

/** Returns unique names of columns, because keys of an object must differ: a second `name` is `name:1`. */
function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map(name => {
    let own = name;
    for (let number = 1; taken.has(own); number++) own = `${name}:${String(number)}`;
    taken.add(own);
    return own;
  });
}
