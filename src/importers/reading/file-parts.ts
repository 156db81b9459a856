import {open} from 'node:fs/promises';
import {Enough, streamBytes} from './byte-stream.js';
import type {FileHead} from './importer.js';

/** Reads a part of a file that is not compressed. */
export async function readPart(path: string, offset: number, limit: number): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const {buffer, bytesRead} = await file.read(Buffer.alloc(limit), 0, limit, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Reads a part of a compressed file. A compressed stream cannot be read from the middle, so it is unpacked up to the
 * part.
 *
 * @throws TraceError `import/cancelled`
 */
export async function inflatePart(
  file: FileHead,
  offset: number,
  limit: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let position = 0;
  let wanted = limit;
  const take = (chunk: Uint8Array) => {
    const part = chunk.subarray(Math.max(0, offset - position), Math.max(0, offset - position) + wanted);
    position += chunk.length;
    if (part.length > 0) parts.push(part.slice());
    wanted -= part.length;
    if (wanted === 0) throw new Enough();
  };
  await streamBytes(file, take, {signal}).catch((error: unknown) => {
    if (!(error instanceof Enough)) throw error;
  });
  return Buffer.concat(parts);
}
