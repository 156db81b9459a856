import type {EventBatch} from './event-batch.js';
import {phase} from './scanned-event.js';

/** So many starts tell what is usual in a file. */
const enoughStarts = 500;

/**
 * The µs that a trace's times should count from: the middle one of its first slices' starts, so that one event at 0 or
 * in the next century does not cost all others their nanoseconds. NaN where no slice of the batch has a start.
 */
export function usualStartUs({columns, length}: EventBatch): number {
  const starts: number[] = [];
  for (let row = 0; row < length && starts.length < enoughStarts; row++) {
    // Metadata events have times that mean nothing.
    const isSlice = columns.phase[row] === phase.complete || columns.phase[row] === phase.begin;
    if (isSlice && Number.isSafeInteger(columns.startUs[row])) starts.push(columns.startUs[row]);
  }
  starts.sort((a, b) => a - b);
  return starts[starts.length >> 1] ?? NaN;
}
