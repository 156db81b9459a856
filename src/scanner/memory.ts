/**
 * The scanner's window of bytes, beside the columns of events, which both programs have (event-columns.ts).
 *
 * JavaScript fills that window and reads the columns in place, and another thread may read columns that are finished: the
 * scanner's memory is shared. That of the program that makes rows is not; JavaScript fills its columns.
 */

/** Behind the window's content: `ByteWindow` puts sentinels there, and 16 bytes are read at a time. */
const slackBytes: usize = 64;

/** Space for a window of `capacity` bytes; an earlier one is lost. */
export function allocateWindow(capacity: usize): usize {
  return heap.alloc(capacity + slackBytes);
}
