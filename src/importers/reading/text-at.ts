import type {SliceArgument} from '../../core/questions/slice-details.js';
import type {ReadPart} from './importer.js';
import {endOfValue, needMore} from './json-bytes.js';

/** Bytes to read for a value: at first, and for longer ones. */
const partBytes = [64 << 10, 1 << 20, 64 << 20];

/** Stands for a value that exceeds the largest of these. */
export const tooLong = Symbol('too long');
export const tooLongArguments: SliceArgument[] = [{name: 'arguments', value: 'too long to be shown'}];

/** Returns the JSON text of the value at an offset of the (decompressed) file; null if there is none. */
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
