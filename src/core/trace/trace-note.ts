import {fill, say} from '../base/say.js';
import {formatCount} from '../format/count.js';

/** A text before it is translated. */
export interface Wording {
  /** The text with its fields `{0}`, `{1}` and so on. */
  readonly template: string;
  /** The values of the fields, which may be such texts themselves. */
  readonly values: readonly (string | Wording)[];
}

/** Something a reader of the figures must know: data that is missing, was repaired, or was left out. */
export interface TraceNote {
  readonly code: string;
  /** In English. {@link saidNote} translates it. */
  readonly text: string;
  /** What the text was made from. Absent for texts that are not translated, such as a profiler's own warnings. */
  readonly wording?: Wording;
}

/** Returns a note. @param text as for `say`: a literal, with its translation in `l10n` */
export function noteOf(code: string, text: string, ...values: readonly (string | number | Wording)[]): TraceNote {
  return wordedNote(code, wordingOf(text, ...values));
}

/** Returns a note with the text `one` for a count of 1, else `many`. `{0}` is the count, and the values follow it. */
export function countedNote(
  code: string,
  count: number,
  one: string,
  many: string,
  ...values: readonly (string | number | Wording)[]
): TraceNote {
  return wordedNote(code, countedWording(count, one, many, ...values));
}

/** Returns a text for a field of a note. @param text as for `noteOf` */
export function wordingOf(text: string, ...values: readonly (string | number | Wording)[]): Wording {
  return {template: text, values: values.map(value => (typeof value === 'number' ? String(value) : value))};
}

/** Returns a text for a field of a note: `one` for a count of 1, else `many`. `{0}` is the count. */
export function countedWording(
  count: number,
  one: string,
  many: string,
  ...values: readonly (string | number | Wording)[]
): Wording {
  return wordingOf(count === 1 ? one : many, formatCount(count), ...values);
}

/** Returns a note in the editor's language, as code and text only. */
export function saidNote({code, text, wording}: TraceNote): TraceNote {
  return {code, text: wording ? filled(wording, say) : text};
}

/** Returns a note whose text was made by `wordingOf` or `countedWording`. */
export function wordedNote(code: string, wording: Wording): TraceNote {
  return {code, text: filled(wording, fill), wording};
}

function filled({template, values}: Wording, put: typeof say): string {
  return put(template, ...values.map(value => (typeof value === 'string' ? value : filled(value, put))));
}
