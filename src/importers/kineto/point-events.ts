import type {TraceBuilder} from '../../core/trace/trace-builder.js';
import {countedNote, type TraceNote} from '../../core/trace/trace-note.js';
import {counterUnit} from '../reading/counter-unit.js';
import {AsyncEvents} from './async-events.js';
import {MemoryEvents} from './memory-events.js';
import type {PointEvent, PointPlaces} from './point-event.js';

/** The phases read here: counters, instants, nestable asynchronous events, and old asynchronous events. */
const phases = {
  counter: 'C',
  instant: 'iIR',
  asyncBegin: 'bS',
  asyncStep: 'nTp',
  asyncEnd: 'eF',
} as const;

/** Returns the role of `phase`; null for phases that are read elsewhere or not at all. */
function roleOf(phase: number): keyof typeof phases | null {
  const letter = String.fromCharCode(phase);
  for (const role of Object.keys(phases) as (keyof typeof phases)[]) if (phases[role].includes(letter)) return role;
  return null;
}

const pointPhases = new Set(Buffer.from(phases.counter + phases.instant));

/** Returns whether events of a phase are counters or instants, which add no slice. */
export function isPoint(phase: number): boolean {
  return pointPhases.has(phase);
}

/**
 * Turns events of a Chrome trace that are not slices into counters, instants and asynchronous slices.
 *
 * Read: `C` (each numeric argument is a series), `i`, `I`, `R` (including PyTorch's `[memory]` and `[OutOfMemory]`),
 * `b`/`n`/`e`, and `S`/`T`/`p`/`F`. Not read: object life cycles, memory dumps, samples, clock marks.
 *
 * @see docs/formats.md#point-events
 */
export class PointEvents {
  readonly #memory: MemoryEvents;
  readonly #async: AsyncEvents;
  #untimed = 0;
  #emptyCounters = 0;

  constructor(
    private readonly builder: TraceBuilder,
    private readonly places: PointPlaces,
  ) {
    this.#memory = new MemoryEvents(builder, places.deviceNumbers);
    this.#async = new AsyncEvents(builder, places);
  }

  /** Adds an event; returns false if its phase is not read here. */
  add(event: PointEvent): boolean {
    const role = roleOf(event.phase);
    if (role === null) return false;
    // Kineto marks the edges of its recording window in every trace; the marks contain nothing else.
    if (role === 'instant' && isWindowEdge(event.name)) return true;
    if (!Number.isFinite(event.startNs)) this.#untimed++;
    else if (role === 'counter') this.#addCounter(event);
    else if (role === 'instant') this.#addInstant(event);
    else if (role === 'asyncBegin') this.#async.begin(event);
    else if (role === 'asyncStep') this.#async.step(event);
    else this.#async.end(event);
    return true;
  }

  /** Ends what is still open, at the last event. Call it after all events, before the builder's `finish`. */
  finish(): void {
    this.#memory.finish();
    this.#async.finish();
  }

  /** Returns the notes that a reader of these events needs, after `finish`. */
  notes(): TraceNote[] {
    const notes: TraceNote[] = [];
    if (this.#untimed > 0) {
      notes.push(
        countedNote(
          'points/untimed',
          this.#untimed,
          '{0} counter or instant was left out because it has no usable time.',
          '{0} counters or instants were left out because they have no usable time.',
        ),
      );
    }
    if (this.#emptyCounters > 0) {
      notes.push(
        countedNote(
          'counters/empty',
          this.#emptyCounters,
          '{0} counter event was left out because it contains no number.',
          '{0} counter events were left out because they contain no number.',
        ),
      );
    }
    return [...notes, ...this.#async.notes()];
  }

  #addInstant(event: PointEvent): void {
    const {name, pid, tid, startNs, offset} = event;
    const track = this.places.thread(pid, tid);
    if (name === '[memory]' || name === '[OutOfMemory]') {
      this.#memory.add(event, track, this.places.process(pid));
      return;
    }
    this.builder.points.addInstant(track, startNs, this.builder.strings.intern(name), 'marker', null, offset);
  }

  /** Each numeric argument is a series of its own. */
  #addCounter({name, pid, id, startNs, args}: PointEvent): void {
    const {device, process, prefix} = this.#ownerOf(pid, name);
    const base = prefix + (id === '' ? name : `${name} [${id}]`);
    let isEmpty = true;
    for (const [series, value] of Object.entries(args)) {
      if (typeof value !== 'number' || !Number.isFinite(value)) continue;
      isEmpty = false;
      // Kineto's own counters have one series, whose name is empty.
      const isOnly = series === '' || series === 'value' || series === name;
      const {name: text, unit, scale} = counterUnit(isOnly ? base : `${base} · ${series}`);
      const counter = this.builder.points.counter({name: text, unit, process, device});
      this.builder.points.addSample(counter, startNs, value * scale);
    }
    if (isEmpty) this.#emptyCounters++;
  }

  /** Kineto names a GPU in the process's id ("GPU 0 Counters") or in the counter's name; others belong to a process. */
  #ownerOf(pid: string, name: string): {device: number; process: number; prefix: string} {
    const gpu = /^GPU (\d{1,4})\b/.exec(pid) ?? /^GPU (\d{1,4})\b/.exec(name);
    if (gpu) return {device: Number(gpu[1]), process: -1, prefix: ''};
    const process = this.places.process(pid);
    return {device: -1, process, prefix: process >= 0 || pid === '' ? '' : `${pid} · `};
  }
}

function isWindowEdge(name: string): boolean {
  return name === 'Record Window End' || name.startsWith('Iteration Start: ');
}
