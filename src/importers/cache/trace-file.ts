import {open, type FileHandle} from 'node:fs/promises';
import {crc32} from 'node:zlib';
import {TraceError} from '../../core/base/errors.js';
import {say} from '../../core/base/say.js';
import type {Trace} from '../../core/trace/trace.js';
import {checkTrace} from './check-trace.js';
import {BadCacheFile, index, listOf, record} from './decode.js';
import {packTexts, unpackTexts} from './text-block.js';
import {decodeHead, encodeHead} from './trace-head.js';
import {
  assembleTrace,
  partLengths,
  sectionArray,
  sectionArrayType,
  sections,
  type SectionArray,
} from './trace-sections.js';

/**
 * The file format of a trace, in the machine's own byte order:
 *
 *     blocks    every typed array of `sections`, then the texts, their starts and their widths, one after the other
 *     head      JSON: the lengths, a CRC-32 of each block, and the trace's other members
 *     trailer   magic, key, the head's length and CRC-32: missing if the file was truncated
 */
const magic = Buffer.from('GPULENS1', 'latin1');
const keyBytes = 32;
const trailerBytes = magic.length + keyBytes + 8;
/** Checking a part of this size takes about 2 ms; queries run in between. */
const partBytes = 8 << 20;
const longestHeadBytes = 256 << 20;

interface FileHeader {
  readonly lengths: Readonly<Record<string, number>>;
  /** Bytes per number of each section. */
  readonly widths: readonly number[];
  readonly texts: number;
  readonly textBytes: number;
  readonly checksums: number[];
  readonly trace: unknown;
}

const decodeHeader = record<FileHeader>({
  lengths: json => record<Record<string, number>>(Object.fromEntries(sections.map(({part}) => [part, index])))(json),
  widths: listOf(index),
  texts: index,
  textBytes: index,
  checksums: listOf(index),
  trace: json => json,
});

/**
 * Writes a trace and flushes it to the disk. Yields to other work in between; the trace must not change.
 *
 * @param key 32 bytes that a reader must know
 * @throws the error of the file system; `signal.reason`
 */
export async function writeTraceFile(path: string, key: Buffer, trace: Trace, signal: AbortSignal): Promise<void> {
  const texts = await packTexts(trace.strings, signal);
  const file = await open(path, 'wx');
  try {
    const writer = new Writer(file, signal);
    const checksums: number[] = [];
    for (const section of sections) checksums.push(await writer.write(bytesOf(sectionArray(trace, section))));
    for (const block of [texts.bytes, texts.starts, texts.isWide]) checksums.push(await writer.write(bytesOf(block)));
    const header: FileHeader = {
      lengths: partLengths(trace),
      widths: sections.map(section => sectionArray(trace, section).BYTES_PER_ELEMENT),
      texts: trace.strings.length,
      textBytes: texts.bytes.length,
      checksums,
      trace: encodeHead(trace),
    };
    const head = Buffer.from(JSON.stringify(header));
    const checksum = await writer.write(head);
    const numbers = Buffer.alloc(8);
    numbers.writeUInt32LE(head.length, 0);
    numbers.writeUInt32LE(checksum, 4);
    await writer.write(Buffer.concat([magic, key, numbers]));
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Reads a trace; null if the file does not exist, was written with another key, is damaged, or has indices outside
 * their tables.
 *
 * @throws TraceError `import/cancelled`
 */
export async function readTraceFile(
  path: string,
  key: Buffer,
  signal: AbortSignal | undefined,
  onRead: (bytes: number, totalBytes: number) => void = () => undefined,
): Promise<Trace | null> {
  try {
    const file = await open(path, 'r');
    try {
      return await readTrace(file, key, signal, onRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof TraceError) throw error;
    // Whatever the error, the profile itself can still be imported.
    return null;
  }
}

async function readTrace(
  file: FileHandle,
  key: Buffer,
  signal: AbortSignal | undefined,
  onRead: (bytes: number, totalBytes: number) => void,
): Promise<Trace> {
  const {size} = await file.stat();
  const {header, end} = await readHeader(file, size, key);
  const {texts, textBytes, checksums} = header;
  const columns = allocateSections(header);
  const block = {
    bytes: new Uint8Array(textBytes),
    starts: new Float64Array(texts + 1),
    isWide: new Uint8Array(texts),
  };
  const blocks = [...columns, block.bytes, block.starts, block.isWide];
  let offset = 0;
  let readBytes = 0;
  const reads: Promise<void>[] = [];
  const wasRead = (bytes: number) => {
    if (signal?.aborted) throw new TraceError('import/cancelled', say('Opening was cancelled.'));
    onRead((readBytes += bytes), end);
  };
  blocks.forEach((array, at) => {
    reads.push(readBlock(file, bytesOf(array), offset, checksums[at], wasRead));
    offset += array.byteLength;
  });
  // The file must not be closed during a read.
  await Promise.allSettled(reads);
  await Promise.all(reads);
  const trace = assembleTrace(decodeHead(header.trace), unpackTexts(block), columns);
  checkTrace(trace);
  return trace;
}

async function readHeader(file: FileHandle, size: number, key: Buffer): Promise<{header: FileHeader; end: number}> {
  if (size < trailerBytes) throw new BadCacheFile('Too short.');
  const trailer = Buffer.alloc(trailerBytes);
  await fill(file, trailer, size - trailerBytes);
  const expected = Buffer.concat([magic, key]);
  if (!trailer.subarray(0, expected.length).equals(expected)) throw new BadCacheFile('Written under another key.');
  const headBytes = trailer.readUInt32LE(expected.length);
  const end = size - trailerBytes - headBytes;
  if (end < 0 || headBytes > longestHeadBytes) throw new BadCacheFile('The head is longer than the file.');
  const head = Buffer.alloc(headBytes);
  await fill(file, head, end);
  if (crc32(head) !== trailer.readUInt32LE(expected.length + 4)) throw new BadCacheFile('The head is damaged.');
  const header = decodeHeader(JSON.parse(head.toString('utf8')));
  // Checked before anything is allocated: the claimed bytes must exist.
  if (claimedBytes(header) !== end) throw new BadCacheFile('The lengths do not add up.');
  return {header, end};
}

function allocateSections({lengths, widths}: FileHeader): SectionArray[] {
  return sections.map((section, at) => {
    const type = sectionArrayType(section, widths[at]);
    if (!type) throw new BadCacheFile('A column is of no such width.');
    return new type(lengths[section.part]);
  });
}

/** Returns the size of the blocks by the head; NaN if the head is invalid. */
function claimedBytes({lengths, widths, texts, textBytes, checksums}: FileHeader): number {
  if (texts < 1 || textBytes < 0 || checksums.length !== sections.length + 3) return NaN;
  if (widths.length !== sections.length) return NaN;
  let bytes = textBytes + (texts + 1) * Float64Array.BYTES_PER_ELEMENT + texts;
  for (const [at, section] of sections.entries()) {
    const length = lengths[section.part];
    if (length < 0) return NaN;
    bytes += length * (sectionArrayType(section, widths[at])?.BYTES_PER_ELEMENT ?? NaN);
  }
  return bytes;
}

async function readBlock(
  file: FileHandle,
  block: Uint8Array,
  offset: number,
  checksum: number,
  wasRead: (bytes: number) => void,
): Promise<void> {
  let actual = 0;
  for (let from = 0; from < block.length; from += partBytes) {
    const part = block.subarray(from, from + partBytes);
    await fill(file, part, offset + from);
    actual = crc32(part, actual);
    wasRead(part.length);
  }
  if (actual !== checksum) throw new BadCacheFile('A block is damaged.');
}

/** Fills `target` from the file. @throws BadCacheFile if the file ends first */
async function fill(file: FileHandle, target: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < target.length;) {
    const {bytesRead} = await file.read(target, done, target.length - done, position + done);
    if (bytesRead === 0) throw new BadCacheFile('The file ends early.');
    done += bytesRead;
  }
}

class Writer {
  constructor(
    private readonly file: FileHandle,
    private readonly signal: AbortSignal,
  ) {}

  /** Appends a block. Resolves with its CRC-32. */
  async write(block: Uint8Array): Promise<number> {
    let checksum = 0;
    for (let from = 0; from < block.length; from += partBytes) {
      this.signal.throwIfAborted();
      const part = block.subarray(from, from + partBytes);
      checksum = crc32(part, checksum);
      for (let done = 0; done < part.length;) {
        done += (await this.file.write(part, done, part.length - done)).bytesWritten;
      }
    }
    return checksum;
  }
}

function bytesOf({buffer, byteOffset, byteLength}: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
