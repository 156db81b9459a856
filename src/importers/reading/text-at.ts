import type {SliceArgument} from '../../core/questions/slice-details.js';
import type {ReadPart} from './importer.js';
import {endOfValue, needMore} from './json-bytes.js';

/** What is read of a value at first, and of one that is longer. */
const partBytes = [64 << 10, 1 << 20, 64 << 20];

/** Stands for a value that is longer than what is read of any. */
export const tooLong = Symbol('too long');
export const tooLongArguments: SliceArgument[] = [{name: 'arguments', value: 'too long to be shown'}];

/** The JSON text of the value at an offset of the (decompressed) file; null where none stands there. */
export async function textAt(read: ReadPart, offset: number): Promise<string | typeof tooLong | null> {
  for (const limit of partBytes) {
    const part = await read(offset, limit);
    // Scanners end at a zero byte.
    const bytes = Buffer.concat([part, Buffer.alloc(2)]);
    const end = endOfValue(bytes, 0, part.length);
    if (end === needMore && part.length === limit) continue;
    return end < 0 ? null : bytes.toString('utf8', 0, end);
  }
  return tooLong;
}
