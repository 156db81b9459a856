import {memoryLimitCode} from './memory-limit.js';
import {saidNote, type TraceNote} from './trace-note.js';

/** Codes of notes that the profile contains less than the file, or the file less than was written. */
export const lossCodes: readonly string[] = [
  'events/malformed',
  'file/damaged',
  'file/left-out',
  'file/truncated',
  'file/unpacked-limit',
  memoryLimitCode,
];

/** Returns those of the notes that say that something was not read, in the editor's language. */
export function lossNotes(notes: readonly TraceNote[]): TraceNote[] {
  return notes.filter(({code}) => lossCodes.includes(code)).map(saidNote);
}
