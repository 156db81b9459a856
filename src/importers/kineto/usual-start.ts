import type {EventBatch} from './event-batch.js';
import {phase} from './scanned-event.js';

/** This many starts suffice to find a file's usual time. */
const enoughStarts = 500;

/**
 * Returns the µs that a trace's times should count from: the median start of its first slices, so that a single event
 * at 0 or in the next century does not cost all others their nanoseconds. If no slice of the batch has a start, uses
 * its counters and instants; NaN if they have none either.
 */
export function usualStartUs(batch: EventBatch): number {
  const ofSlices = middleStartUs(batch, eventPhase => eventPhase === phase.complete || eventPhase === phase.begin);
  // Times of metadata events mean nothing.
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
