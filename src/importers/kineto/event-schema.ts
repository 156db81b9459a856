/**
 * The members of events that GPU Lens reads, one row per event. scripts/lib/event-columns.mjs derives the scanner's
 * memory layout from it.
 *
 * Texts are numbers that the reader announces to its sink with `text`. Ids are the number itself if it fits a double
 * (less `negativeIdShift` below -1), else `-2 - text`; -1 is absent. `offset` is where the event begins in the
 * unpacked file. A time is NaN if the event has none; `startUs` are whole µs, so that nothing is lost.
 */
export const eventSchema = {
  offset: 'f64',
  startUs: 'f64',
  durationNs: 'f64',
  pid: 'f64',
  tid: 'f64',
  id: 'f64',
  correlation: 'f64',
  externalId: 'f64',
  sequence: 'f64',
  forwardThread: 'f64',
  device: 'f64',
  stream: 'f64',
  bytes: 'f64',
  name: 'i32',
  category: 'i32',
  label: 'i32',
  startThousandths: 'i32',
  phase: 'u8',
} as const;
