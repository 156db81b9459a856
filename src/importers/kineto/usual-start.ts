import type {EventBatch} from './event-batch.js';
import {phase} from './scanned-event.js';

/** So many starts tell what is usual in a file. */
const enoughStarts = 500;

/**
 * The µs that a trace's times should count from: the middle one of its first slices' starts, so that one event at 0 or
 * in the next century does not cost all others their nanoseconds. Where no slice of the batch has a start, the same of
 * its counters and instants; NaN where they have none either.
 */
export function usualStartUs(batch: EventBatch): number {
  const ofSlices = middleStartUs(batch, eventPhase => eventPhase === phase.complete || eventPhase === phase.begin);
  // Metadata events have times that mean nothing.
  return Number.isNaN(ofSlices) ? middleStartUs(batch, eventPhase => eventPhase !== phase.metadata) : ofSlices;
}

function middleStartUs({columns, length}: EventBatch, isWanted: (eventPhase: number) => boolean): number {
  const starts: number[] = [];
  for (let row = 0; row < length && starts.length < enoughStarts; row++) {
    if (isWanted(columns.phase[row]) && Number.isSafeInteger(columns.startUs[row])) starts.push(columns.startUs[row]);
  }
  starts.sort((a, b) => a - b);
  return starts[starts.length >> 1] ?? NaN;
}
