/**
 * The scanner's window of bytes. (The columns of events, which both programs have, are in event-columns.ts.)
 *
 * The scanner's memory is shared: JavaScript fills the window and reads the columns in place, and another thread may
 * read finished columns. The memory of the program that makes rows is not shared; JavaScript fills its columns.
 */

/** Bytes after the window's content: `ByteWindow` writes sentinels there, and 16 bytes are read at a time. */
const slackBytes: usize = 64;

/** Allocates a window of `capacity` bytes; an earlier one is lost. */
export function allocateWindow(capacity: usize): usize {
  return heap.alloc(capacity + slackBytes);
}
