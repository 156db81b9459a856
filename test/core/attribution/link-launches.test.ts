import {expect, it} from 'vitest';
import {launchLinks} from '../../../src/core/attribution/link-launches.js';
import {traceFromText} from '../../support/trace-from-text.js';

/** The start, in columns of the drawing, of the call that each operation is linked to. */
function startsOfCalls(drawing: string): (number | null)[] {
  const trace = traceFromText(drawing);
  return Array.from(launchLinks(trace).callOf, call =>
    call < 0 ? null : (trace.slices.startNs[trace.apiCalls.slice[call] ?? 0] ?? NaN) / 1000,
  );
}

it('launchLinks(trace) joins by correlation id, also an operation that starts before its call ends', () => {
  expect(
    startsOfCalls(`
      call            AAA  B
      stream 7         AA   BB
    `),
  ).toEqual([0, 5]);
});

it('launchLinks(trace) takes the latest call that starts no later, where an id comes again', () => {
  expect(
    startsOfCalls(`
      call            A   A   A
      stream 7          AA  AA
    `),
  ).toEqual([0, 4]);
});

it('launchLinks(trace) takes the earliest call where all start after the operation', () => {
  expect(
    startsOfCalls(`
      range zero      =
      call               A  A
      stream 7         A
    `),
  ).toEqual([3]);
});

it('launchLinks(trace) gives -1 without a call', () => {
  expect(
    startsOfCalls(`
      call            A
      stream 7         a B
    `),
  ).toEqual([null, null]);
});
