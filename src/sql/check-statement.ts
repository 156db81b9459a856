import {TraceError} from '../core/base/errors.js';
import {firstWords, splitStatements} from './statement-text.js';

const reading = new Set(['select', 'with', 'values']);

/**
 * Returns the only statement of a text, and makes sure that it only reads.
 *
 * This comes before SQLite sees the text: some PRAGMAs act while they are prepared. Statements that begin like a read
 * but write (`WITH … DELETE`) are refused later, because SQLite reports that the prepared statement writes.
 *
 * @throws TraceError `sql/not-allowed`
 */
export function readingStatement(text: string): string {
  const places = splitStatements(text);
  const place = places.at(0);
  if (!place) throw refused('There is no SQL in the query.');
  if (places.length > 1) throw refused('Only one statement can be run at a time.');
  const statement = text.slice(place.start, place.end);
  if (statement.includes('\0')) throw refused('SQL has no NUL characters.');
  const words = firstWords(statement);
  if (!reading.has(words[wordsOfExplain(words)] ?? '')) {
    throw refused(
      `Only SELECT, WITH, VALUES and EXPLAIN can be run, since a profile is only read; not ${statementName(words)}.`,
    );
  }
  return statement;
}

/** Returns whether a statement explains how another would run. */
export function explains(statement: string): boolean {
  return wordsOfExplain(firstWords(statement)) > 0;
}

/** Returns the number of words of EXPLAIN or EXPLAIN QUERY PLAN. */
function wordsOfExplain([first, second, third]: readonly string[]): number {
  if (first !== 'explain') return 0;
  return second === 'query' && third === 'plan' ? 3 : 1;
}

function statementName(words: readonly string[]): string {
  return words.at(0)?.toUpperCase() ?? 'this';
}

function refused(message: string): TraceError {
  return new TraceError('sql/not-allowed', message);
}
