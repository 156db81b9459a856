import {Enough, streamBytes} from '../byte-stream.js';
import type {FileHead, ImportOptions} from '../importer.js';
import {ChromeTraceReader} from './chrome-trace-reader.js';
import {phase, type ScannedEvent} from './scanned-event.js';

/** So many starts tell what is usual in a file. */
const enoughStarts = 500;
/** Bytes between two looks whether there are enough. */
const stepBytes = 64 << 10;
/** A longer header is not looked through twice: times count from the first event then. */
const farthestBytes = 256 << 20;

/**
 * The µs that a trace's times should count from: the middle one of its first slices' starts, so that one event at 0 or
 * in the next century does not cost all others their nanoseconds. NaN where no slice has a start.
 */
export async function findBaseUs(file: FileHead, {signal, unpackedLimit}: ImportOptions): Promise<number> {
  const inHead = new Starts();
  inHead.reader.push(file.head);
  if (inHead.starts.length > 0) return inHead.middle();
  // A long header stands before the events.
  const further = new Starts();
  let lookedBytes = 0;
  await streamBytes(
    file,
    chunk => {
      for (let at = 0; at < chunk.length; at += stepBytes) {
        further.reader.push(chunk.subarray(at, at + stepBytes));
        if (further.starts.length >= enoughStarts) throw new Enough();
      }
      lookedBytes += chunk.length;
      if (lookedBytes >= farthestBytes) throw new Enough();
    },
    {signal, unpackedLimit},
  ).catch((error: unknown) => {
    if (!(error instanceof Enough)) throw error;
  });
  return further.middle();
}

/** Collects when slices start; metadata events have times that mean nothing. */
class Starts {
  readonly starts: number[] = [];
  readonly reader = new ChromeTraceReader({
    event: ({phase: eventPhase, hasStart, start}: ScannedEvent) => {
      const isSlice = eventPhase === phase.complete || eventPhase === phase.begin;
      if (isSlice && hasStart && Number.isSafeInteger(start.whole)) this.starts.push(start.whole);
    },
    metadata: () => undefined,
  });

  middle(): number {
    this.starts.sort((a, b) => a - b);
    return this.starts[this.starts.length >> 1] ?? NaN;
  }
}
