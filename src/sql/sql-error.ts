import Database from 'better-sqlite3';
import {TraceError} from '../core/base/errors.js';
import {sqlTables} from './schema.js';

/**
 * Returns SQLite's error as one sentence, with the name that the user probably meant.
 *
 *     no such table: kernel → There is no table "kernel": did you mean kernels?
 */
export function sqlError(error: unknown): TraceError {
  if (error instanceof TraceError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (/^(Missing named|Too few) parameter/.test(message)) return new TraceError('sql/error', parametersText);
  if (!(error instanceof Database.SqliteError)) {
    return new TraceError('sql/failed', message, {cause: error});
  }
  return new TraceError('sql/error', sentence(message), {cause: error});
}

const parametersText = 'The query has parameters (?, :name), for which there are no values.';

function sentence(message: string): string {
  const [, what, name = ''] = /^no such (table|column): (.+)$/.exec(message) ?? [];
  if (what === 'table')
    return unknownName(
      'table',
      name,
      sqlTables.map(table => table.name),
    );
  if (what === 'column') return unknownName('column', name, columnNames());
  return /[.!?]$/.test(message) ? message : `SQLite: ${message}.`;
}

function unknownName(what: 'table' | 'column', name: string, known: readonly string[]): string {
  const own = name.replace(/^.*\./, '');
  const near = nearest(own, known);
  const all = what === 'table' ? ` The tables are ${known.join(', ')}.` : '';
  return `There is no ${what} "${name}"${near === null ? '.' : `: did you mean ${near}?`}${near === null ? all : ''}`;
}

function columnNames(): string[] {
  return [...new Set(sqlTables.flatMap(({columns}) => columns.map(({name}) => name)))];
}

/** Returns the name with the smallest edit distance, at most a third of its letters; null if none is that close. */
function nearest(name: string, known: readonly string[]): string | null {
  // Ignores case and underscores, as a person would.
  const plain = (text: string) => text.toLowerCase().replaceAll('_', '').slice(0, 40);
  let best: string | null = null;
  let least = Math.floor(plain(name).length / 3) + 1;
  for (const candidate of known) {
    const distance = editDistance(plain(name), plain(candidate));
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({length: b.length + 1}, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(change, previous[j] + 1, row[j - 1] + 1));
    }
    previous = row;
  }
  return previous[b.length];
}
