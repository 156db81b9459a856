import {idleAnswers, idleSummary} from './rules/idle-sql.js';
import type {FactValue} from './rules/rule.js';

/** Statements that answer queries, fewer where one answers several. */
export interface Batch {
  readonly statements: readonly string[];
  /** Query → its answer. @param cells one for each statement */
  readonly answers: (cells: readonly FactValue[]) => Map<string, FactValue>;
}

const idleQueries: ReadonlySet<string> = new Set(idleAnswers(null).keys());

/** Puts queries about idle time into one statement: finding the gaps takes longer than all else. */
export function batched(queries: readonly string[]): Batch {
  const others = queries.filter(sql => !idleQueries.has(sql));
  const hasIdle = others.length < queries.length;
  return {
    statements: hasIdle ? [...others, idleSummary] : others,
    answers: cells => {
      const answers = new Map(others.map((sql, at) => [sql, cells[at] ?? null]));
      return hasIdle ? new Map([...idleAnswers(cells[others.length] ?? null), ...answers]) : answers;
    },
  };
}
