import {ChromeTraceReader} from './chrome-trace-reader.js';

/**
 * The µs that a trace's times should count from: the middle one of the starts in its head, so that one event at 0 or in
 * the next century does not cost all others their nanoseconds. NaN where the head has no event with a start.
 */
export function findBaseUs(head: Uint8Array): number {
  const starts: number[] = [];
  const reader = new ChromeTraceReader({
    event({hasStart, start}) {
      if (hasStart && Number.isSafeInteger(start.whole)) starts.push(start.whole);
    },
    metadata: () => undefined,
  });
  reader.push(head);
  reader.end();
  starts.sort((a, b) => a - b);
  return starts[starts.length >> 1] ?? NaN;
}
