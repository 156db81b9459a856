import {byteAt, openBrace, skipSeparators} from './bytes';
import * as columns from './event-columns';
import {notPlain, scanEvent, textsFull} from './scan-event';

export {allocateEvents, selectEvents} from './event-columns';
export {allocateWindow} from './memory';
export {growTexts, textCount, textStart} from './texts';

/** Where the last `scanEvents` stopped. */
export let position: usize = 0;
/** Whether it stopped because the texts are full. */
export let areTextsFull: bool = false;

/**
 * Scans the plain events from `from` on into rows `row` to `rowLimit` (exclusive); returns the row after the last one.
 *
 * Stops before anything that is not a plain event, and at `end` at the latest. `offset` is the stream's offset of the
 * window's first byte, which is at `window`.
 */
export function scanEvents(window: usize, from: usize, end: usize, offset: f64, row: usize, rowLimit: usize): usize {
  let at = window + from;
  const last = window + end;
  areTextsFull = false;
  while (row < rowLimit) {
    at = skipSeparators(at);
    if (byteAt(at) != openBrace) break;
    const next = scanEvent(at, last, row);
    if (next == textsFull) areTextsFull = true;
    if (next == notPlain || next == textsFull || next > last) break;
    store<f64>(columns.offset + (row << 3), offset + <f64>(at - window));
    at = next;
    row++;
  }
  position = at - window;
  return row;
}
