import {basename} from 'node:path';
import {lossCodes, lossNotes} from '../core/trace/loss-notes.js';
import type {Trace} from '../core/trace/trace.js';
import {tellNote} from './talk.js';

let isTold = true;
const toldLosses = new Set<string>();

/** Sets whether `tellLosses` writes: not for commands that show every note of a profile themselves. */
export function chooseLosses(showsNotes: boolean): void {
  isTold = !showsNotes;
}

/** Writes a note for each part of a profile that was not read, once even if the command reads the file again. */
export function tellLosses(file: string, {notes}: Pick<Trace, 'notes'>): void {
  tellLossTexts(
    file,
    lossNotes(notes).map(({text}) => text),
  );
}

/** As `tellLosses`, for a profile that the SQL process reads: the text is the cell of `lossStatement`. */
export function tellLossCell(file: string, cell: unknown): void {
  if (typeof cell === 'string') tellLossTexts(file, cell.split('\n'));
}

/** A statement of one cell: the notes on what was not read, one a line; null if there are none. */
export const lossStatement = `SELECT group_concat(text, char(10)) FROM notes WHERE code IN (${lossCodes
  .map(code => `'${code}'`)
  .join(', ')})`;

function tellLossTexts(file: string, texts: readonly string[]): void {
  if (!isTold) return;
  for (const text of texts) {
    const sentence = `${basename(file)}: ${text}`;
    if (!toldLosses.has(sentence)) tellNote(sentence);
    toldLosses.add(sentence);
  }
}
