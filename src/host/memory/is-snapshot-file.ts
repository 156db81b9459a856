import {open} from 'node:fs/promises';
import {constants, gunzipSync} from 'node:zlib';
import {looksLikeSnapshot} from '../../core/memory-snapshot/looks-like-snapshot.js';

/** A gzip file may unpack to a thousand times as much. */
const headBytes = 4 << 10;
const mostUnpackedBytes = 8 << 20;

/** File names of snapshots; matching files are inspected. */
export const snapshotNames = /\.(pickle|pkl)(\.gz)?$/i;

/** Returns whether a file is a memory snapshot, by its name and its beginning; false if it cannot be read. */
export async function isSnapshotFile(path: string): Promise<boolean> {
  if (!snapshotNames.test(path)) return false;
  try {
    const file = await open(path);
    try {
      const {buffer, bytesRead} = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
      return looksLikeSnapshot(unpacked(buffer.subarray(0, bytesRead)));
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}

/** Unpacks the beginning of a gzip file; returns other bytes unchanged. */
function unpacked(head: Buffer): Buffer {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return head;
  return gunzipSync(head, {finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: mostUnpackedBytes});
}
