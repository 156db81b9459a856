import {setImmediate as nextTurn} from 'node:timers/promises';
import type {StringSource, StringTable} from '../../core/table/string-table.js';
import {BadCacheFile} from './decode.js';

/**
 * All texts of a trace in one block. Each text takes one byte per character if all fit Latin-1, else two, so that
 * every text is restored exactly, including unpaired surrogates. `starts` has one entry more than there are texts.
 */
export interface TextBlock {
  readonly bytes: Uint8Array;
  readonly starts: Float64Array;
  readonly isWide: Uint8Array;
}

/** Yields to other work after this many texts: about 10 ms. */
const textsPerTurn = 50_000;
/** Near V8's limit, which is about 512 million characters. */
const longestTextBytes = 2 ** 29 - 64;
const beyondLatin1 = /[^\u0000-\u00ff]/;

/** Packs the texts into a block, and yields to other work in between. */
export async function packTexts(strings: StringTable, signal: AbortSignal): Promise<TextBlock> {
  const starts = new Float64Array(strings.length + 1);
  const isWide = new Uint8Array(strings.length);
  for (let i = 0; i < strings.length; i++) {
    const text = strings.get(i);
    isWide[i] = beyondLatin1.test(text) ? 1 : 0;
    starts[i + 1] = starts[i] + (text.length << isWide[i]);
    if (i % textsPerTurn === textsPerTurn - 1) await turn(signal);
  }
  const bytes = Buffer.allocUnsafeSlow(starts[strings.length]);
  for (let i = 0; i < strings.length; i++) {
    bytes.write(strings.get(i), starts[i], isWide[i] === 1 ? 'utf16le' : 'latin1');
    if (i % textsPerTurn === textsPerTurn - 1) await turn(signal);
  }
  return {bytes, starts, isWide};
}

/** Returns a reader that decodes texts on demand. @throws BadCacheFile if the offsets are invalid */
export function unpackTexts({bytes, starts, isWide}: TextBlock): StringSource {
  const length = isWide.length;
  let isOrdered = length > 0 && starts[0] === 0 && starts[1] === 0 && starts[length] === bytes.length;
  for (let i = 0; i < length; i++) {
    const bytes = starts[i + 1] - starts[i];
    isOrdered &&= bytes >= 0 && bytes <= longestTextBytes;
  }
  if (!isOrdered) throw new BadCacheFile('The texts are out of order.');
  const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    length,
    bytes: bytes.byteLength + starts.byteLength + isWide.byteLength,
    text: index => block.toString(isWide[index] === 1 ? 'utf16le' : 'latin1', starts[index], starts[index + 1]),
  };
}

async function turn(signal: AbortSignal): Promise<void> {
  await nextTurn();
  signal.throwIfAborted();
}
