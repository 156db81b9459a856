import {readFile, stat} from 'node:fs/promises';
import {basename} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {summaryHtml, summaryMarkdown} from '../../core/export/summary.js';
import {commandSection, commandTable} from '../../core/findings/answers/answer-commands.js';
import {parseAttentionShape, type AttentionShape} from '../../core/findings/answers/attention-shape.js';
import {ownQuestions} from '../../core/findings/answers/own-questions.js';
import type {Question} from '../../core/findings/answers/question.js';
import type {Asking} from '../answer-sheet/ask-profile.js';
import {comparisonSheet} from '../answer-sheet/comparison-sheet.js';
import {profileSheet} from '../answer-sheet/profile-sheet.js';
import type {Sheet} from '../answer-sheet/sheet.js';
import {sweepAt, sweepSheet} from '../answer-sheet/sweep-sheet.js';
import {oneOf, textOption, UsageError, type Command, type OptionValues} from '../command.js';
import {writeOutput} from '../output-file.js';
import {refuseInputAsOutput} from '../refuse-input-as-output.js';

/** A longer file is not a list of questions. */
const mostQuestionBytes = 1 << 20;

/**
 * `gpu-lens report`: answers to common questions about a profile, two profiles or a sweep, with the command behind each
 * answer.
 */
export const reportCommand: Command = {
  name: 'report',
  brief: 'An answer sheet about a profile, a comparison or a sweep',
  readsProfiles: true,
  usage:
    'report FILE|BASE CHANGED|SWEEP -o OUT [--to markdown|html] [--questions FILE]\n      [--attention BATCHxHEADSxCONTEXTxHEADSIZE]',
  summary: `writes an answer sheet: how long passes take, what costs most, what stands in the way, each with the command that tells.
      Of two profiles it begins with how they differ; SWEEP is the folder of a sweep that bench kept.
      Beside Markdown lies its picture, OUT.svg; --attention counts the FLOP of attention where shapes were not recorded.`,
  options: {
    to: {type: 'string'},
    output: {type: 'string', short: 'o'},
    questions: {type: 'string'},
    attention: {type: 'string'},
  },
  formats: [],
  async run(context, files, options) {
    const output = textOption(options['output']);
    if (output === null) throw new UsageError('report needs -o and the file to write.');
    const to = oneOf(
      'to',
      options['to'],
      ['markdown', 'html'] as const,
      /\.html?$/i.test(output) ? 'html' : 'markdown',
    );
    const asked = textOption(options['questions']);
    const inputs = asked === null ? files : [...files, asked];
    await refuseInputAsOutput(output, inputs);
    if (to === 'markdown') await refuseInputAsOutput(pictureOf(output), inputs);
    const asking = {own: asked === null ? [] : await questionsOf(asked), shape: shapeOf(options)};
    const sheet = await sheetOf(files, asking);
    if (to === 'html') await writeOutput(output, [pageOf(sheet)]);
    else await writeMarkdown(sheet, output);
    for (const note of sheet.notes) context.tellNote(note);
  },
};

/** @throws TraceError; UsageError */
async function sheetOf([file, changed, ...others]: readonly string[], asking: Asking): Promise<Sheet> {
  if (file === undefined || others.length > 0) {
    throw new UsageError('report needs one profile, two to compare, or the folder of a sweep.');
  }
  if (changed !== undefined) return comparisonSheet(file, changed, asking);
  const sweep = await sweepAt(file);
  if (!sweep) return profileSheet(file, asking);
  if (asking.own.length > 0 || asking.shape) {
    throw new UsageError('--questions and --attention are about profiles, not about a sweep.');
  }
  return sweepSheet(sweep);
}

function pageOf({summary, commands, more}: Sheet): string {
  return summaryHtml({...summary, tables: [...summary.tables, commandTable(commands), ...more]});
}

const pictureOf = (output: string): string => `${output.replace(/\.(md|markdown)$/i, '')}.svg`;

/** Writes the picture beside the text, because Markdown cannot contain it. */
async function writeMarkdown({summary, commands}: Sheet, output: string): Promise<void> {
  const picture = summary.picture && {path: pictureOf(output), svg: summary.picture.svg};
  if (picture) await writeOutput(picture.path, [picture.svg]);
  const text = summaryMarkdown(summary, picture && basename(picture.path));
  await writeOutput(output, [`${text}\n${commandSection(commands)}`]);
}

/** @throws UsageError */
function shapeOf({attention}: OptionValues): AttentionShape | null {
  const text = textOption(attention);
  const shape = text === null ? null : parseAttentionShape(text);
  if (text !== null && !shape) {
    throw new UsageError('--attention takes batch, heads, context and size of a head, such as 4x20x256x64.');
  }
  return shape;
}

/** @throws TraceError `file/unreadable`, `sql/not-allowed` */
async function questionsOf(path: string): Promise<Question[]> {
  const stats = await stat(path).catch(() => null);
  if (!stats?.isFile() || stats.size > mostQuestionBytes) {
    throw new TraceError('file/unreadable', `${path} is not a file of questions: it must be a text of at most 1 MiB.`);
  }
  return ownQuestions(await readFile(path, 'utf8'));
}
