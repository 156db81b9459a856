import {constants, type Stats} from 'node:fs';
import {access, open, stat} from 'node:fs/promises';
import {basename} from 'node:path';
import {createGunzip, createZstdDecompress} from 'node:zlib';
import {TraceError} from '../../core/base/errors.js';
import {say} from '../../core/base/say.js';
import type {FileHead} from './importer.js';

const headBytes = 64 * 1024;

/**
 * Reads the data needed to choose an importer.
 *
 * @throws TraceError `file/missing`, `file/directory`, `file/permission`, `file/empty`, `file/unreadable`
 */
export async function readFileHead(path: string): Promise<FileHead> {
  const {size} = await statFile(path);
  const name = basename(path);
  if (size === 0) throw new TraceError('file/empty', say('{0} is empty.', name));
  const stored = await readStart(path);
  const compression = compressionOf(stored);
  const head = compression === 'none' ? stored : await decompressStart(stored, compression);
  return {path, bytes: size, compression, head};
}

/** Returns the compression by the first bytes: gzip, zstd or none. */
export function compressionOf(head: Buffer): FileHead['compression'] {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  return head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528 ? 'zstd' : 'none';
}

async function statFile(path: string): Promise<Stats> {
  const name = basename(path);
  let stats: Stats;
  try {
    stats = await stat(path);
    if (!stats.isDirectory()) await access(path, constants.R_OK);
  } catch (error) {
    throw fileError(error, name);
  }
  if (stats.isDirectory()) throw new TraceError('file/directory', say('{0} is a folder, not a profile.', name));
  if (!stats.isFile()) throw new TraceError('file/unreadable', say('{0} is not a regular file.', name));
  return stats;
}

/** Returns the error with a message for a file system error; a TraceError is returned unchanged. */
export function fileError(error: unknown, name: string): TraceError {
  if (error instanceof TraceError) return error;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new TraceError('file/missing', say('{0} does not exist.', name), {cause: error});
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new TraceError('file/permission', say('{0} cannot be read: permission denied.', name), {cause: error});
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new TraceError('file/unreadable', say('{0} cannot be read: {1}.', name, reason), {cause: error});
}

async function readStart(path: string): Promise<Buffer> {
  try {
    const file = await open(path, 'r');
    try {
      const {buffer, bytesRead} = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileError(error, basename(path));
  }
}

/** Decompresses the first stored bytes; if the stream ends early or is damaged, returns what came before. */
async function decompressStart(stored: Buffer, compression: 'gzip' | 'zstd'): Promise<Buffer> {
  const inflate = compression === 'gzip' ? createGunzip() : createZstdDecompress();
  const parts: Buffer[] = [];
  let length = 0;
  await new Promise<void>(resolve => {
    inflate.on('data', (part: Buffer) => {
      parts.push(part);
      length += part.length;
      // A few stored bytes can inflate to gigabytes.
      if (length >= headBytes) inflate.destroy();
    });
    inflate.on('close', resolve);
    inflate.on('end', resolve);
    inflate.on('error', () => {
      resolve();
    });
    inflate.end(stored);
  });
  return Buffer.concat(parts).subarray(0, headBytes);
}
