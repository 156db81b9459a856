import type {SliceArgument} from '../../core/questions/slice-details.js';
import type {ReadPart} from '../reading/importer.js';
import {isBareWord, parseEvent} from '../reading/parse-event.js';
import {textAt, tooLong, tooLongArguments} from '../reading/text-at.js';
import {keepDigits, longestText, writtenText} from '../reading/written-value.js';

/**
 * Returns the arguments of the event at an offset of the (decompressed) file, in the file's order; null if there is no
 * event of that name.
 */
export async function readEventArguments(
  read: ReadPart,
  offset: number,
  name: string,
): Promise<SliceArgument[] | null> {
  const text = await textAt(read, offset);
  return text === null ? null : text === tooLong ? tooLongArguments : argumentsOf(text, name);
}

function argumentsOf(text: string, name: string): SliceArgument[] | null {
  const event = parseEvent(text, keepDigits);
  if (!event) return [{name: 'arguments', value: 'cannot be read: this event is malformed JSON'}];
  const ownName = typeof event['name'] === 'string' ? event['name'] : '';
  // The importer ignores a name that is not a text.
  if (ownName !== name && !(name === '' && isBareWord(ownName))) return null;
  const args = event['args'];
  if (typeof args !== 'object' || args === null) return [];
  return Object.entries(args).map(([key, value]) => ({name: key, value: writtenText(value).slice(0, longestText)}));
}
