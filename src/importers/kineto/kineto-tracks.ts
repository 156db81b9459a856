import {getOrAdd} from '../../core/table/get-or-add.js';
import type {SliceKind} from '../../core/trace/slices.js';
import type {TraceBuilder} from '../../core/trace/trace-builder.js';
import type {TrackKind} from '../../core/trace/trace.js';
import {absent, type ScannedEvent} from './scanned-event.js';

/** Where a GPU event ran. */
interface Place {
  readonly device: number;
  readonly stream: number;
}

/** What makes a track: kinds of one family share the track of their thread or stream. */
type Family = 'thread' | 'stream' | 'gpu-ranges' | 'sync' | 'other';

/** GPU rows stand above CPU rows, and what belongs to neither below. */
const familyOrder: Readonly<Record<Family, number>> = {stream: 1, 'gpu-ranges': 0, thread: 10, sync: 2, other: 20};

/** Finds the track of each event and names it from the metadata events. */
export class KinetoTracks {
  readonly devices = new Set<number>();
  readonly #trackByKey = new Map<Family, Map<number, Map<number, number>>>();
  readonly #threads = new Map<number, {pid: number; tid: number}>();
  readonly #threadNames = new Map<string, string>();
  readonly #processNames = new Map<number, string>();
  #last = {family: '' as Family | '', pid: NaN, tid: NaN, track: -1};

  constructor(
    private readonly builder: TraceBuilder,
    private readonly textOf: (id: number) => string,
  ) {}

  /** The track of a slice. Consecutive events are mostly of one track, so that one is tried first. */
  trackOf(event: ScannedEvent, kind: SliceKind): number {
    const family = familyOf(kind);
    const onGpu = family !== 'thread' && family !== 'other';
    const place = onGpu ? this.placeOf(event) : null;
    const pid = place ? place.device : event.pid;
    const tid = place ? place.stream : event.tid;
    const last = this.#last;
    if (last.family === family && last.pid === pid && last.tid === tid) return last.track;
    const byPid = getOrAdd(this.#trackByKey, family, () => new Map<number, Map<number, number>>());
    const byTid = getOrAdd(byPid, pid, () => new Map<number, number>());
    const track = getOrAdd(byTid, tid, () => this.#addTrack(family, pid, tid));
    this.#last = {family, pid, tid, track};
    return track;
  }

  /** Device and stream from the arguments, else from pid and tid, which is where Kineto puts them too. */
  placeOf({device, stream, pid, tid}: ScannedEvent): Place {
    return {
      device: device === absent ? this.#number(pid) : device,
      stream: stream === absent ? this.#number(tid) : stream,
    };
  }

  /** Takes a metadata event. Duplicate thread names occur with different texts, and the last one holds. */
  describe(event: ScannedEvent, name: string, label: string): void {
    if (name === 'process_name') this.#processNames.set(event.pid, label);
    else if (name === 'thread_name') this.#threadNames.set(`${String(event.pid)} ${String(event.tid)}`, label.trim());
  }

  /** Names the tracks, once all metadata has been seen. */
  finish(): void {
    for (const [track, {pid, tid}] of this.#threads) {
      const name = this.#threadNames.get(`${String(pid)} ${String(tid)}`);
      // The main thread has the number of its process, which files of 2021 write as a text.
      const isMain = this.#idText(pid) === this.#idText(tid);
      if (name !== undefined && name !== '') this.builder.renameTrack(track, name);
      if (isMain) this.builder.renameTrack(track, name ?? `thread ${this.#idText(tid)} (main)`, familyOrder.thread - 1);
    }
    for (const [pid, name] of this.#processNames)
      if (this.#isProcess(pid)) this.builder.nameProcess(this.builder.process(this.#idText(pid)), name);
  }

  #addTrack(family: Family, pid: number, tid: number): number {
    if (family === 'thread') return this.#addThread(pid, tid);
    if (family === 'other') {
      const name = [this.#idText(pid), this.#idText(tid)].filter(part => part !== '' && part !== '-1').join(' · ');
      return this.#add(family, 'other', -1, -1, `${String(pid)} ${String(tid)}`, name === '' ? 'Other' : name);
    }
    this.devices.add(pid);
    const kind: TrackKind = family === 'sync' ? 'other' : family;
    const suffix = {stream: '', 'gpu-ranges': ' · ranges', sync: ' · synchronisation'}[family];
    return this.#add(family, kind, -1, pid, String(tid), `Stream ${String(tid)}${suffix}`);
  }

  #addThread(pid: number, tid: number): number {
    // Some tools write Python frames under pid 0, which is no process.
    const process = pid === 0 || pid === absent ? -1 : this.builder.process(this.#idText(pid));
    const track = this.builder.track({
      kind: 'thread',
      process,
      device: -1,
      thread: tid >= 0 ? tid : /^\d+$/.test(this.#idText(tid)) ? Number(this.#idText(tid)) : -1,
      id: `thread ${String(pid)} ${String(tid)}`,
      name: `thread ${this.#idText(tid)}`,
      order: familyOrder.thread,
    });
    this.#threads.set(track, {pid, tid});
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

  #isProcess(pid: number): boolean {
    return this.#trackByKey.get('thread')?.has(pid) === true && pid !== 0 && pid !== absent;
  }

  /** The number in an id: Kineto of 2021 writes "stream 7". */
  #number(id: number): number {
    if (id >= 0) return id;
    const digits = /\d+/.exec(this.#idText(id));
    return digits ? Number(digits[0]) : 0;
  }

  #idText(id: number): string {
    return id < absent ? this.textOf(-2 - id) : String(id);
  }
}

function familyOf(kind: SliceKind): Family {
  switch (kind) {
    case 'kernel':
    case 'gpu_memcpy':
    case 'gpu_memset':
    case 'graph':
      return 'stream';
    case 'gpu_user_annotation':
      return 'gpu-ranges';
    case 'cuda_sync':
      return 'sync';
    case 'overhead':
    case 'profiler_span':
      return 'other';
    default:
      return 'thread';
  }
}
