/** Stands for an id, name or number that an event lacks. */
export const absent = -1;

/**
 * Ids below -1, such as some threads' numbers, are stored less this shift; the numbers in between denote texts. Only
 * numbers of up to 15 digits are shifted, so that a double holds the difference; src/scanner does the same.
 */
export const negativeIdShift = 2 ** 40;
export const leastNegativeId = -999_999_999_999_999;

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

/** Returns whether a scanned event contains all that is read of events of this phase. */
export function isReadWhole(eventPhase: number): boolean {
  return readWhole[eventPhase] === 1;
}

const readWhole = new Uint8Array(256);
for (const each of ['complete', 'begin', 'end', 'metadata', 'flowStart', 'flowStep', 'flowEnd'] as const) {
  readWhole[phase[each]] = 1;
}

/** Returns whether an event of this phase is an end or a step of a flow. */
export function isFlow(eventPhase: number): boolean {
  return eventPhase === phase.flowStart || eventPhase === phase.flowEnd || eventPhase === phase.flowStep;
}

/** A time in µs, exact: `whole` µs and `thousandths` ns. */
export interface Microseconds {
  whole: number;
  thousandths: number;
}

/**
 * The members of one event that GPU Lens reads. The scanner reuses one object for all events.
 *
 * Texts are numbers (2 n + 1 for the interner's nth). `pid`, `tid` and ids are the number itself if a double holds it,
 * less `negativeIdShift` below -1; else `-2 - text`.
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

/** Returns an event to be filled by a scanner. */
export function emptyEvent(): ScannedEvent {
  return {
    phase: 0,
    name: absent,
    category: absent,
    pid: absent,
    tid: absent,
    start: {whole: 0, thousandths: 0},
    duration: {whole: 0, thousandths: 0},
    hasStart: false,
    hasDuration: false,
    id: absent,
    correlation: absent,
    externalId: absent,
    sequence: absent,
    forwardThread: absent,
    device: absent,
    stream: absent,
    bytes: absent,
    label: absent,
  };
}
