// Truncates a large trace at random places, and compares what is shown with a plain recount.
import {readFileSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {constants, gunzipSync, gzipSync} from 'node:zlib';
import {TraceError} from '../../src/core/base/errors.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {writeLargeTrace} from '../support/large-trace.js';
import {seededRandom} from '../support/random.js';

const bytes = 20e6;
/** A shorter gzip file has not yet unpacked to anything. */
const leastGzipBytes = 18;

/**
 * Truncates a trace of 20 MB, and its gzip file, at `count` places each. Returns the faults: in the events before the
 * cut, or in the note about it. The same seed gives the same places.
 */
export async function cutLargeTrace(folder: string, count: number, seed: number): Promise<string[]> {
  const path = join(folder, 'cut-large');
  const ends = writeLargeTrace(path, bytes);
  const plain = readFileSync(path);
  const packed = gzipSync(plain, {level: 1});
  const random = seededRandom(seed);
  // The last place first, so that one file gets shorter and shorter. Bytes after the last event contain none.
  const places = (length: number) =>
    Array.from({length: count}, () => Math.floor(random() * length)).sort((a, b) => b - a);
  const faults: string[] = [];
  const check = async (length: number, events: number, code: string) => {
    truncateSync(path, length);
    const fault = await faultOf(path, events, code);
    if (fault !== null) faults.push(`${code} at ${String(length)}: ${fault}`);
  };
  for (const length of places(plain.lastIndexOf('}\n  ]') + 1)) {
    await check(length, eventsBefore(ends, length), 'file/truncated');
  }
  writeFileSync(path, packed);
  for (const length of places(packed.length - 8))
    await check(length, eventsBefore(ends, unpackedBytes(packed, length)), 'file/damaged');
  return faults;
}

async function faultOf(path: string, events: number, code: string): Promise<string | null> {
  try {
    const {slices, notes} = await openTrace(path);
    if (slices.length !== events) return `${String(slices.length)} events are shown of ${String(events)}`;
    return notes.length === 1 && notes[0]?.code === code ? null : `notes are ${notes.map(note => note.code).join()}`;
  } catch (error) {
    if (error instanceof TraceError && events === 0) return null;
    return `${String(events)} events are there, and it says ${String(error)}`;
  }
}

function eventsBefore(ends: Float64Array, length: number): number {
  let count = 0;
  while (count < ends.length && (ends[count] ?? Infinity) <= length) count++;
  return count;
}

function unpackedBytes(packed: Buffer, length: number): number {
  if (length < leastGzipBytes) return 0;
  return gunzipSync(packed.subarray(0, length), {finishFlush: constants.Z_SYNC_FLUSH}).length;
}
