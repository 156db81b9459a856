import {join} from 'node:path';
import {describeError} from '../../core/base/errors.js';
import type {Answer} from '../../core/findings/answers/answer-tables.js';
import type {AttentionShape} from '../../core/findings/answers/attention-shape.js';
import {mostAnswerRows, type Question} from '../../core/findings/answers/question.js';
import {questionsFor} from '../../core/findings/answers/questions-for.js';
import {withoutDismissed} from '../../core/findings/dismissals.js';
import {findIn} from '../../core/findings/find.js';
import {noGpuWork} from '../../core/findings/findings-page.js';
import type {Finding} from '../../core/findings/rules/finding.js';
import {pushAll} from '../../core/table/extremes.js';
import {readOwnRules, usualRuleFolder} from '../../sql/own-rules.js';
import {SqlClient} from '../../sql/client.js';
import type {ProfileSource, SqlCell} from '../../sql/messages.js';
import {projectFile, readDismissals} from '../../sql/read-dismissals.js';
import {chosenCapture} from '../capture-option.js';
import {readableProfile} from '../load-trace.js';
import {memoryLimit} from '../memory-option.js';

/** The answers of a profile, and its findings. */
export interface AskedProfile {
  readonly answers: readonly Answer[];
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

/** Questions in addition to the usual ones. */
export interface Asking {
  readonly own: readonly Question[];
  readonly shape: AttentionShape | null;
}

/**
 * Asks a profile all questions in one process. If a question fails, its answer is the error, and the others continue.
 *
 * @param isPrinted whether it is a text with tables
 * @throws TraceError
 */
export async function askProfile(file: string, isPrinted: boolean, {own, shape}: Asking): Promise<AskedProfile> {
  return readableProfile(file, async ({path, unpackedLimit, signal}) => {
    const limits = {unpackedLimit, memoryLimit: memoryLimit()};
    const source: ProfileSource = {path, ...limits, cache: null, cacheProgram: null, capture: chosenCapture()};
    const client = new SqlClient(join(__dirname, 'sql.cjs'));
    try {
      const rules = await readOwnRules(usualRuleFolder);
      const found = await findIn(
        (statements, limitMs) => client.cells(source, statements, {signal, ...(limitMs !== undefined && {limitMs})}),
        rules.rules,
      );
      const {findings, notes} = withoutDismissed(found, await readDismissals(projectFile));
      const answers: Answer[] = [];
      for (const question of [...questionsFor({isPrinted, hasGpuWork: found.hasGpuWork}, shape), ...own]) {
        answers.push(await answerTo(client, source, signal, question));
      }
      return {answers, findings, notes: [...(found.hasGpuWork ? [] : [noGpuWork()]), ...rules.problems, ...notes]};
    } finally {
      client.dispose();
    }
  });
}

async function answerTo(
  client: SqlClient,
  source: ProfileSource,
  signal: AbortSignal,
  question: Question,
): Promise<Answer> {
  let columns: readonly string[] = [];
  const rows: (readonly SqlCell[])[] = [];
  try {
    await client.query(source, question.sql, {
      signal,
      limitRows: mostAnswerRows,
      onColumns: names => {
        columns = names;
      },
      onRows: some => {
        pushAll(rows, some);
      },
    });
    return {question, columns, rows, problem: null};
  } catch (error) {
    const {code, message} = describeError(error, 'sql/failed');
    if (code !== 'sql/error' && code !== 'sql/not-allowed') throw error;
    return {question, columns, rows: [], problem: message};
  }
}
