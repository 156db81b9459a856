import {getOrAdd} from '../table/get-or-add.js';
import {idleAnswers, idleSummary} from './rules/idle-sql.js';
import type {FactValue} from './rules/rule.js';

/** Statements that answer queries; fewer than the queries if one answers several. */
export interface Batch {
  readonly statements: readonly string[];
  /** Returns query → answer. @param cells one for each statement */
  readonly answers: (cells: readonly FactValue[]) => Map<string, FactValue>;
}

interface Part {
  readonly statement: string;
  readonly answers: (cell: FactValue) => Iterable<readonly [query: string, answer: FactValue]>;
}

const idleQueries: ReadonlySet<string> = new Set(idleAnswers(null).keys());

/**
 * Combines queries about idle time into one statement, because finding the gaps takes longer than everything else. Also
 * combines queries that begin with the same common table expressions, which SQLite then evaluates once.
 */
export function batched(queries: readonly string[]): Batch {
  const byTables = new Map<string, string[]>();
  for (const sql of new Set(queries)) {
    if (!idleQueries.has(sql)) getOrAdd(byTables, sql.slice(0, tablesEnd(sql)) || sql, () => []).push(sql);
  }
  const parts = [...byTables].map(([tables, own]) => (own.length > 1 ? shared(tables, own) : alone(own[0] ?? tables)));
  if (queries.some(sql => idleQueries.has(sql))) parts.push({statement: idleSummary, answers: idleAnswers});
  return {
    statements: parts.map(({statement}) => statement),
    answers: cells => new Map(parts.flatMap(({answers}, at) => [...answers(cells[at] ?? null)])),
  };
}

const alone = (sql: string): Part => ({statement: sql, answers: cell => [[sql, cell]]});

/**
 * Returns a statement with one cell of JSON: SQLite writes numbers with all their digits. A query without rows gives
 * null there, too.
 */
function shared(tables: string, queries: readonly string[]): Part {
  const cells = queries.map(sql => `(${sql.slice(tables.length)})`);
  return {
    statement: `${tables}SELECT json_array(${cells.join(', ')})`,
    answers: cell => {
      const values = JSON.parse(String(cell ?? '[]')) as FactValue[];
      return queries.map((sql, at) => [sql, values[at] ?? null] as const);
    },
  };
}

/** Returns where a statement's common table expressions end and its SELECT begins; 0 if it has none. */
function tablesEnd(sql: string): number {
  if (!sql.startsWith('WITH ')) return 0;
  let depth = 0;
  for (const {0: token, index} of sql.matchAll(/'[^']*'|[()]|\bSELECT\b/g)) {
    if (token === '(') depth++;
    else if (token === ')') depth--;
    else if (token === 'SELECT' && depth === 0) return index;
  }
  return 0;
}
