/** An id, name or number that an event does not have. */
export const absent = -1;

/** The `ph` of events that are read, as their first byte. */
export const phase = {
  complete: 0x58, // X
  begin: 0x42, // B
  end: 0x45, // E
  metadata: 0x4d, // M
  flowStart: 0x73, // s
  flowStep: 0x74, // t
  flowEnd: 0x66, // f
  instant: 0x69, // i
} as const;

/** A time in µs, exact: `whole` µs and `thousandths` ns. */
export interface Microseconds {
  whole: number;
  thousandths: number;
}

/**
 * The members of one event that GPU Lens reads. The scanner reuses one object for all events.
 *
 * Texts are numbers from the scanner's interner. `pid`, `tid` and ids are the number itself where it is one that a
 * double holds; else `-2 - text`.
 */
export interface ScannedEvent {
  /** The first byte of `ph`: 0x58 for "X". */
  phase: number;
  name: number;
  category: number;
  pid: number;
  tid: number;
  readonly start: Microseconds;
  readonly duration: Microseconds;
  hasStart: boolean;
  hasDuration: boolean;
  /** Binding id of a flow event. */
  id: number;
  correlation: number;
  externalId: number;
  sequence: number;
  forwardThread: number;
  device: number;
  stream: number;
  bytes: number;
  /** `args.name` or `args.labels` of a metadata event. */
  label: number;
}

/**
 * An event to be filled by a scanner.
 *
 * Fields that come to hold more than 32 bits begin as NaN: V8 then keeps them as doubles from the start, instead of
 * throwing away the scanner's compiled code with the first large number.
 */
export function emptyEvent(): ScannedEvent {
  return {
    phase: 0,
    name: absent,
    category: absent,
    pid: NaN,
    tid: NaN,
    start: {whole: NaN, thousandths: 0},
    duration: {whole: NaN, thousandths: 0},
    hasStart: false,
    hasDuration: false,
    id: NaN,
    correlation: NaN,
    externalId: NaN,
    sequence: NaN,
    forwardThread: NaN,
    device: absent,
    stream: NaN,
    bytes: NaN,
    label: absent,
  };
}
