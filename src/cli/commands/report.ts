import {readFile, stat} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {describeError, TraceError} from '../../core/base/errors.js';
import {summaryHtml, summaryMarkdown, type SummaryTable} from '../../core/export/summary.js';
import {answerCommands, commandSection, commandTable} from '../../core/findings/answers/answer-commands.js';
import {answerTables, type Answer} from '../../core/findings/answers/answer-tables.js';
import {ownQuestions} from '../../core/findings/answers/own-questions.js';
import {mostAnswerRows, type Question} from '../../core/findings/answers/question.js';
import {usualQuestions} from '../../core/findings/answers/usual-questions.js';
import {withoutDismissed} from '../../core/findings/dismissals.js';
import {findIn} from '../../core/findings/find.js';
import {nothingFound} from '../../core/findings/findings-page.js';
import type {Finding} from '../../core/findings/rules/finding.js';
import {flameGraph} from '../../core/questions/flame.js';
import {formatDuration} from '../../core/format/duration.js';
import {pushAll} from '../../core/table/extremes.js';
import {isText} from '../../core/trace/text-table.js';
import {SqlClient} from '../../sql/client.js';
import type {ProfileSource, SqlCell} from '../../sql/messages.js';
import {projectFile, readDismissals} from '../../sql/read-dismissals.js';
import {chosenCapture} from '../capture-option.js';
import {flameQueryOf, queryOfProfile} from '../flame-query.js';
import {oneOf, textOption, UsageError, type Command} from '../command.js';
import {loadProfile, readableProfile} from '../load-trace.js';
import {memoryLimit} from '../memory-option.js';
import {writeOutput} from '../output-file.js';
import {profileSummary} from '../profile-summary.js';

/** A longer file is no list of questions. */
const mostQuestionBytes = 1 << 20;

/** `gpu-lens report FILE`: what people ask of a profile, answered, with the query behind each answer. */
export const reportCommand: Command = {
  name: 'report',
  brief: 'An answer sheet about a profile, as Markdown or HTML',
  readsProfiles: true,
  usage: 'report FILE -o OUT [--to markdown|html] [--questions FILE]',
  summary:
    'writes an answer sheet: how long passes take, what costs most, what stands in the way, each with the query that tells',
  options: {to: {type: 'string'}, output: {type: 'string', short: 'o'}, questions: {type: 'string'}},
  formats: [],
  async run(context, files, options) {
    const [file, ...others] = files;
    if (file === undefined || others.length > 0) throw new UsageError('report needs one file.');
    const output = textOption(options['output']);
    if (output === null) throw new UsageError('report needs -o and the file to write.');
    const to = oneOf(
      'to',
      options['to'],
      ['markdown', 'html'] as const,
      /\.html?$/i.test(output) ? 'html' : 'markdown',
    );
    const own = textOption(options['questions']);
    const questions = own === null ? usualQuestions : [...usualQuestions, ...(await questionsOf(own))];
    const profile = await loadProfile(file);
    const isPrinted = isText(profile.trace);
    const {answers, findings, notes} = await readableProfile(file, ({path, unpackedLimit, signal}) =>
      ask(
        {path, unpackedLimit, memoryLimit: memoryLimit(), cache: null, cacheProgram: null, capture: chosenCapture()},
        signal,
        isPrinted ? questions.slice(usualQuestions.length) : questions,
      ),
    );
    const graph = isPrinted
      ? null
      : flameGraph(profile.trace, queryOfProfile(profile.trace, flameQueryOf({}), undefined));
    const summary = await profileSummary(profile, graph, {}, basename(file));
    const sheet = {
      ...summary,
      title: `Report on ${basename(file)}`,
      tables: [findingTable(findings), ...answerTables(answers)],
    };
    const commands = answerCommands(answers, basename(file));
    const text =
      to === 'html'
        ? summaryHtml({...sheet, tables: [...sheet.tables, commandTable(commands), ...summary.tables]})
        : `${summaryMarkdown(sheet)}\n${commandSection(commands)}`;
    await writeOutput(output, [text]);
    for (const note of notes) context.tellNote(note);
  },
};

/** @throws TraceError `file/unreadable`, `sql/not-allowed` */
async function questionsOf(path: string): Promise<Question[]> {
  const stats = await stat(path).catch(() => null);
  if (!stats?.isFile() || stats.size > mostQuestionBytes) {
    throw new TraceError('file/unreadable', `${path} is no file of questions: it must be a text of at most 1 MiB.`);
  }
  return ownQuestions(await readFile(path, 'utf8'));
}

/** Asks everything in one process. A question that cannot be asked has that as its answer; the others go on. */
async function ask(source: ProfileSource, signal: AbortSignal, questions: readonly Question[]) {
  const client = new SqlClient(join(__dirname, 'sql.cjs'));
  try {
    const found = withoutDismissed(
      await findIn(statements => client.cells(source, statements, {signal})),
      await readDismissals(projectFile),
    );
    const answers: Answer[] = [];
    for (const question of questions) answers.push(await answerTo(client, source, signal, question));
    return {answers, findings: found.findings, notes: found.notes};
  } finally {
    client.dispose();
  }
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

function findingTable(findings: readonly Finding[]): SummaryTable {
  const rows = findings.map(({severity, title, gainAtMostNs}) => [
    severity,
    title,
    gainAtMostNs === null ? '–' : formatDuration(gainAtMostNs),
  ]);
  return {
    title: 'What stands in the way',
    columns: [
      {title: 'Severity', isNumeric: false},
      {title: 'Finding', isNumeric: false},
      {title: 'Gain at most', isNumeric: true},
    ],
    rows: rows.length > 0 ? rows : [['–', nothingFound, '–']],
    length: Math.max(rows.length, 1),
  };
}
