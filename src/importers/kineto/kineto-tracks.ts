import {getOrAdd} from '../../core/table/get-or-add.js';
import {kindIndex, sliceKinds, type SliceKind} from '../../core/trace/slices.js';
import type {TraceBuilder} from '../../core/trace/trace-builder.js';
import type {TrackKind} from '../../core/trace/trace.js';
import {DeviceNumbers} from '../reading/device-numbers.js';
import type {EventBatch} from './event-batch.js';
import type {PointPlaces} from './point-event.js';
import {absent, negativeIdShift} from './scanned-event.js';

/** Kinds of one family share the track of their thread or stream. */
const families = ['thread', 'stream', 'gpu-ranges', 'sync', 'other'] as const;
type Family = (typeof families)[number];
const threadFamily = families.indexOf('thread');

/** GPU rows come above CPU rows, and all others below. */
const familyOrder: Readonly<Record<Family, number>> = {stream: 1, 'gpu-ranges': 0, thread: 10, sync: 2, other: 20};

/** Finds the track of each event, and names tracks from the metadata events. */
export class KinetoTracks implements PointPlaces {
  readonly devices = new Set<number>();
  readonly deviceNumbers = new DeviceNumbers();
  /** By family, then pid or device, then tid or stream. */
  readonly #trackByKey = families.map(() => new Map<number, Map<number, number>>());
  /** By the ids' texts: files from 2021 write a thread's id as a number in some events and as a text in others. */
  readonly #threads = new Map<string, {track: number; pid: number; tid: number}>();
  readonly #threadNames = new Map<string, string>();
  readonly #processNames = new Map<string, string>();
  /** Ids that are texts, or numbers too large for a double. */
  readonly #idOfText = new Map<string, number>();

  constructor(
    private readonly builder: TraceBuilder,
    private readonly textOf: (id: number) => string,
  ) {}

  /** Returns the track of a slice of a kind (its index): on a thread or, for GPU kinds, on a device's stream. */
  trackOf(kind: number, pidOrDevice: number, tidOrStream: number): number {
    const family = familyOfKind[kind];
    return (
      this.#trackByKey[family].get(pidOrDevice)?.get(tidOrStream) ?? this.#newTrack(family, pidOrDevice, tidOrStream)
    );
  }

  #newTrack(family: number, pidOrDevice: number, tidOrStream: number): number {
    const track = this.#addTrack(families[family], pidOrDevice, tidOrStream);
    getOrAdd(this.#trackByKey[family], pidOrDevice, () => new Map<number, number>()).set(tidOrStream, track);
    return track;
  }

  /** Returns the device from the arguments, else from pid, which Kineto sets to it too. */
  deviceOf({device, pid}: EventBatch['columns'], row: number): number {
    const id = device[row] === absent ? pid[row] : device[row];
    const written = id === absent ? NaN : Number(this.idText(id));
    return this.deviceNumbers.device(Number.isNaN(written) ? this.numberOf(id) : written);
  }

  streamOf({stream, tid}: EventBatch['columns'], row: number): number {
    return this.numberOf(stream[row] === absent ? tid[row] : stream[row]);
  }

  /** Returns the track of an event's thread, whatever the event's kind. */
  threadOf({pid, tid}: EventBatch['columns'], row: number): number {
    return this.trackOf(kindIndex.other, pid[row], tid[row]);
  }

  /** Returns the track of a thread with slices, else -1, whether its ids here are numbers or texts. */
  threadTrack(pid: number, tid: number): number {
    const known = this.#trackByKey[threadFamily].get(pid)?.get(tid);
    return known ?? this.#threads.get(this.#threadKey(pid, tid))?.track ?? -1;
  }

  /** Returns the number in an id, without its sign: Kineto of 2021 writes "stream 7". 0 if there is none. */
  numberOf(id: number): number {
    if (id >= absent) return Math.max(id, 0);
    const digits = /\d{1,300}/.exec(this.idText(id));
    return digits ? Number(digits[0]) : 0;
  }

  /** Takes a metadata event. A thread may be named several times; the last name counts. */
  describe(pid: number, tid: number, name: string, label: string): void {
    if (name === 'process_name') this.#processNames.set(this.idText(pid), label);
    else if (name === 'thread_name') this.#threadNames.set(this.#threadKey(pid, tid), label.trim());
  }

  /** Names the tracks after all metadata has been read. */
  finish(): void {
    for (const [key, {track, pid, tid}] of this.#threads) {
      const name = this.#threadNames.get(key);
      // The main thread has the number of its process, which files of 2021 write as a text.
      const isMain = this.idText(pid) === this.idText(tid);
      if (name !== undefined && name !== '') this.builder.renameTrack(track, name);
      if (isMain) this.builder.renameTrack(track, name ?? `thread ${this.idText(tid)} (main)`, familyOrder.thread - 1);
    }
    for (const pid of new Set(Array.from(this.#threads.values(), ({pid}) => this.idText(pid)))) {
      const [process, name] = [this.process(pid), this.#processNames.get(pid)];
      if (process >= 0 && name !== undefined) this.builder.nameProcess(process, name);
    }
  }

  #addTrack(family: Family, pid: number, tid: number): number {
    if (family === 'thread') return this.#addThread(pid, tid);
    if (family === 'other') {
      const name = [this.idText(pid), this.idText(tid)].filter(part => part !== '' && part !== '-1').join(' · ');
      return this.#add(family, 'other', -1, -1, this.#threadKey(pid, tid), name === '' ? 'Other' : name);
    }
    this.devices.add(pid);
    if (family === 'stream') this.builder.device(pid);
    const kind: TrackKind = family === 'sync' ? 'other' : family;
    const suffix = {stream: '', 'gpu-ranges': ' · ranges', sync: ' · synchronisation'}[family];
    return this.#add(family, kind, -1, pid, String(tid), `Stream ${String(tid)}${suffix}`);
  }

  #addThread(pid: number, tid: number): number {
    const process = this.process(this.idText(pid));
    const key = this.#threadKey(pid, tid);
    const track = this.builder.track({
      kind: 'thread',
      process,
      device: -1,
      thread: tid >= 0 ? tid : /^\d+$/.test(this.idText(tid)) ? Number(this.idText(tid)) : -1,
      id: `thread ${key}`,
      name: `thread ${this.idText(tid)}`,
      order: familyOrder.thread,
    });
    this.#threads.set(key, {track, pid, tid});
    return track;
  }

  #add(
    family: Exclude<Family, 'thread'>,
    kind: TrackKind,
    process: number,
    device: number,
    id: string,
    name: string,
  ): number {
    return this.builder.track({kind, process, device, id: `${family} ${id}`, name, order: familyOrder[family]});
  }

  /** Returns an id as the file writes it. */
  idText(id: number): string {
    if (id >= absent) return String(id);
    const text = id < -negativeIdShift ? String(id + negativeIdShift) : this.textOf(-2 - id);
    this.#idOfText.set(text, id);
    return text;
  }

  /** Returns the same key for a thread whether the file writes its ids as numbers or as texts. */
  #threadKey(pid: number, tid: number): string {
    return JSON.stringify([this.idText(pid), this.idText(tid)]);
  }

  /** Returns the track of the thread with ids as the file writes them, for a `PointEvent`. */
  thread(pid: string, tid: string): number {
    return this.trackOf(kindIndex.other, this.#idOf(pid), this.#idOf(tid));
  }

  /**
   * Returns the process of an id as the file writes it; -1 if it is not a process: some tools write Python frames under
   * pid 0.
   */
  process(pid: string): number {
    const isNone = pid === '' || pid === '0' || pid === String(absent);
    return isNone ? -1 : this.builder.process(pid);
  }

  #idOf(text: string): number {
    return this.#idOfText.get(text) ?? Number(text);
  }
}

const familyOf: Readonly<Partial<Record<SliceKind, Family>>> = {
  kernel: 'stream',
  gpu_memcpy: 'stream',
  gpu_memset: 'stream',
  graph: 'stream',
  gpu_user_annotation: 'gpu-ranges',
  cuda_sync: 'sync',
  overhead: 'other',
  profiler_span: 'other',
};

/** By the index of a kind: the family whose kinds share a track. */
export const familyOfKind = Uint8Array.from(sliceKinds, kind => families.indexOf(familyOf[kind] ?? 'thread'));

/** By the index of a kind: whether its slices belong on a device's stream instead of a thread. */
export const isOnGpu = Uint8Array.from(sliceKinds, kind =>
  ['stream', 'gpu-ranges', 'sync'].includes(familyOf[kind] ?? 'thread') ? 1 : 0,
);
