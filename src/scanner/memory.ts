/**
 * What lies where: the columns of events, of both programs, and the scanner's window of bytes.
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

// One column each, in the order of the schema in event-batch.ts.
export let offsets: usize = 0;
export let startUs: usize = 0;
export let durationNs: usize = 0;
export let pids: usize = 0;
export let tids: usize = 0;
export let ids: usize = 0;
export let correlations: usize = 0;
export let externalIds: usize = 0;
export let sequences: usize = 0;
export let forwardThreads: usize = 0;
export let devices: usize = 0;
export let streams: usize = 0;
export let byteCounts: usize = 0;
export let names: usize = 0;
export let categories: usize = 0;
export let labels: usize = 0;
export let startThousandths: usize = 0;
export let phases: usize = 0;

let nextColumn: usize = 0;

function column(bytes: usize): usize {
  const at = nextColumn;
  nextColumn += bytes;
  return at;
}

/** Space for the columns of `capacity` events, a multiple of 8. */
export function allocateEvents(capacity: usize): usize {
  return heap.alloc(13 * capacity * sizeof<f64>() + 4 * capacity * sizeof<i32>() + capacity);
}

/** From now on events are written to the columns of `capacity` events that begin at `start`, one behind the other. */
export function selectEvents(start: usize, capacity: usize): void {
  const wide = capacity * sizeof<f64>();
  const narrow = capacity * sizeof<i32>();
  nextColumn = start;
  offsets = column(wide);
  startUs = column(wide);
  durationNs = column(wide);
  pids = column(wide);
  tids = column(wide);
  ids = column(wide);
  correlations = column(wide);
  externalIds = column(wide);
  sequences = column(wide);
  forwardThreads = column(wide);
  devices = column(wide);
  streams = column(wide);
  byteCounts = column(wide);
  names = column(narrow);
  categories = column(narrow);
  labels = column(narrow);
  startThousandths = column(narrow);
  phases = column(capacity);
}
