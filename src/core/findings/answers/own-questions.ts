import {TraceError} from '../../base/errors.js';
import type {Question} from './question.js';

/** A longer list is a mistake. */
const mostQuestions = 50;

/**
 * Parses a user’s own questions: comments with a question, each followed by the query that answers it.
 *
 *     -- How often is memory allocated?
 *     SELECT name, count(*) AS calls FROM api_calls WHERE name LIKE 'cudaMalloc%' GROUP BY name;
 *
 * @throws TraceError `sql/not-allowed` for a text without questions, or with more than 50
 */
export function ownQuestions(text: string): Question[] {
  const questions: Question[] = [];
  let comments: string[] = [];
  let lines: string[] = [];
  const end = () => {
    const sql = lines.join('\n').trim().replace(/;$/, '');
    if (sql !== '') questions.push({question: comments[0] ?? 'Your question', about: comments.slice(1).join(' '), sql});
    comments = [];
    lines = [];
  };
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const comment = /^--\s*(.*?)\s*$/.exec(line)?.[1];
    if (comment !== undefined && lines.every(before => before.trim() === '')) {
      if (comment !== '') comments.push(comment);
      continue;
    }
    lines.push(line);
    if (line.trimEnd().endsWith(';')) end();
  }
  end();
  if (questions.length === 0) throw new TraceError('sql/not-allowed', 'The questions file contains no query.');
  if (questions.length > mostQuestions) {
    throw new TraceError(
      'sql/not-allowed',
      `The questions file contains more than ${String(mostQuestions)} questions.`,
    );
  }
  return questions;
}
