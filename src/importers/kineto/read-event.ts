import type {SliceArgument} from '../../core/questions/slice-details.js';
import type {ReadPart} from '../reading/importer.js';
import {isBareWord, parseEvent} from './parse-event.js';
import {endOfValue, needMore} from '../reading/json-bytes.js';

/** What is read of an event at first, and of one that is longer. */
const eventBytes = [64 << 10, 1 << 20, 64 << 20];
const longestText = 2000;

/**
 * The arguments of the event at an offset of the (decompressed) file, in the file's order; null where no event of that
 * name stands there.
 */
export async function readEventArguments(
  read: ReadPart,
  offset: number,
  name: string,
): Promise<SliceArgument[] | null> {
  for (const limit of eventBytes) {
    const part = await read(offset, limit);
    // Scanners end at a zero byte.
    const bytes = Buffer.concat([part, Buffer.alloc(2)]);
    const end = endOfValue(bytes, 0, part.length);
    if (end === needMore && part.length === limit) continue;
    return end < 0 ? null : argumentsOf(bytes.toString('utf8', 0, end), name);
  }
  return [{name: 'arguments', value: 'too long to be shown'}];
}

function argumentsOf(text: string, name: string): SliceArgument[] | null {
  const event = parseEvent(text, keepDigits);
  if (!event) return [{name: 'arguments', value: 'cannot be read: this event is malformed JSON'}];
  const ownName = typeof event['name'] === 'string' ? event['name'] : '';
  // Importing, a name that is no text was none.
  if (ownName !== name && !(name === '' && isBareWord(ownName))) return null;
  const args = event['args'];
  if (typeof args !== 'object' || args === null) return [];
  return Object.entries(args).map(([key, value]) => ({name: key, value: textOf(value).slice(0, longestText)}));
}

/** Numbers stay as they are written: ids have more digits than a double. */
function keepDigits(_key: string, value: unknown, context?: {source?: string}): unknown {
  return typeof value === 'number' ? new Written(context?.source ?? String(value)) : value;
}

class Written {
  constructor(readonly text: string) {}
}

function textOf(value: unknown): string {
  if (value instanceof Written) return value.text;
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, member]) => `${key}: ${textOf(member)}`)
      .join(', ')}}`;
  }
  return String(value);
}
