import type {SummaryTable} from '../../export/summary.js';
import {oneLine} from '../../format/cells.js';
import {markdownText} from '../../format/markdown-text.js';
import type {Answer} from './answer-tables.js';

/** How to read an answer, and the command that produces it again. */
export interface AnswerCommand {
  readonly number: number;
  readonly about: string;
  readonly command: string;
}

/** Returns the commands behind answers, for a POSIX shell. @param file the profile’s name */
export function answerCommands(answers: readonly Answer[], file: string): AnswerCommand[] {
  return answers.map(({question: {about, sql}}, at) => ({
    number: at + 1,
    about,
    command: `gpu-lens query ${shellText(file)} ${shellText(onOneLine(sql))}`,
  }));
}

/**
 * Joins a statement into one line. Statements with comments are unchanged, because a comment ends with its line; so are
 * quoted texts and names.
 */
const onOneLine = (sql: string): string =>
  sql.includes('--') ? sql : sql.replace(/'[^']*'|"[^"]*"|\s+/g, part => (part.trim() === '' ? ' ' : part));

/** Quotes a text as one word of a POSIX shell. */
export const shellText = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns the commands as a table. */
export function commandTable(commands: readonly AnswerCommand[]): SummaryTable {
  return {
    title: heading,
    columns: ['Answer', 'How to read it', 'Command'].map(title => ({title, isNumeric: false})),
    rows: commands.map(({number, about, command}) => [String(number), about, command]),
    length: commands.length,
  };
}

/** Returns the commands in Markdown, as the user types them: indented text is not parsed as markup. */
export function commandSection(commands: readonly AnswerCommand[]): string {
  const parts = commands.map(({number, about, command}) => {
    const lines = command.split('\n').map(line => `    ${oneLine(line)}\n`);
    return `**${String(number)}.** ${markdownText(oneLine(about))}\n\n${lines.join('')}`;
  });
  return `## ${heading}\n\n${parts.join('\n')}`;
}

const heading = 'Where the answers come from';
