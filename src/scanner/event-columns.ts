// Made from src/importers/kineto/event-schema.ts by scripts/lib/event-columns.mjs. Change that; a build makes this anew.

export let offset: usize = 0;
export let startUs: usize = 0;
export let durationNs: usize = 0;
export let pid: usize = 0;
export let tid: usize = 0;
export let id: usize = 0;
export let correlation: usize = 0;
export let externalId: usize = 0;
export let sequence: usize = 0;
export let forwardThread: usize = 0;
export let device: usize = 0;
export let stream: usize = 0;
export let bytes: usize = 0;
export let name: usize = 0;
export let category: usize = 0;
export let label: usize = 0;
export let startThousandths: usize = 0;
export let phase: usize = 0;

let nextColumn: usize = 0;

function column(bytes: usize): usize {
  const at = nextColumn;
  nextColumn += bytes;
  return at;
}

/** Space for the columns of `capacity` events, a multiple of 8. */
export function allocateEvents(capacity: usize): usize {
  return heap.alloc(121 * capacity);
}

/** From now on events are written to the columns of `capacity` events that begin at `start`, one behind the other. */
export function selectEvents(start: usize, capacity: usize): void {
  nextColumn = start;
  offset = column(8 * capacity);
  startUs = column(8 * capacity);
  durationNs = column(8 * capacity);
  pid = column(8 * capacity);
  tid = column(8 * capacity);
  id = column(8 * capacity);
  correlation = column(8 * capacity);
  externalId = column(8 * capacity);
  sequence = column(8 * capacity);
  forwardThread = column(8 * capacity);
  device = column(8 * capacity);
  stream = column(8 * capacity);
  bytes = column(8 * capacity);
  name = column(4 * capacity);
  category = column(4 * capacity);
  label = column(4 * capacity);
  startThousandths = column(4 * capacity);
  phase = column(capacity);
}
