import type {SliceArgument} from '../../core/questions/slice-details.js';
import type {ReadPart} from '../reading/importer.js';
import {parseEvent} from '../reading/parse-event.js';
import {textAt, tooLong, tooLongArguments} from '../reading/text-at.js';
import {keepDigits, longestText, writtenText} from '../reading/written-value.js';

/** Members that the slice already shows, and the sizes of the profiler's own structures. */
const known = new Set(['size', 'kind', 'operation', 'start_timestamp', 'end_timestamp']);

/** Returns the members of the record at an offset of the (decompressed) file, including those of `dispatch_info`. */
export async function readRecordArguments(read: ReadPart, offset: number): Promise<SliceArgument[] | null> {
  const text = await textAt(read, offset);
  if (text === null) return null;
  if (text === tooLong) return tooLongArguments;
  const record = parseEvent(text, keepDigits);
  if (!record) return [{name: 'arguments', value: 'cannot be read: this event is malformed JSON'}];
  // Another file of the same name has other data here.
  if (record['start_timestamp'] === undefined) return null;
  return Object.entries(record).flatMap(([key, value]) => (known.has(key) ? [] : flat(key, value)));
}

/** The members of a dispatch are listed beside those of its record; other groups stay together. */
function flat(key: string, value: unknown): SliceArgument[] {
  const isGroup = key === 'dispatch_info' && typeof value === 'object' && value !== null;
  if (!isGroup) return [{name: key, value: writtenText(value).slice(0, longestText)}];
  return Object.entries(value).flatMap(([inner, of]) => (known.has(inner) ? [] : flat(inner, of)));
}
