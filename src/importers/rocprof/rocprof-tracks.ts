import type {SliceKind} from '../../core/trace/slices.js';
import type {TraceBuilder} from '../../core/trace/trace-builder.js';
import type {FoundRecord} from './rocprof-records.js';

/** GPU rows come above CPU rows, as in every profile. */
const order = {stream: 1, mainThread: 9, thread: 10, ranges: 15, other: 20} as const;

interface TrackOwner {
  readonly process: number;
  /** The process's own number, which is that of its main thread; -1 if the file has none. */
  readonly pid: number;
  /** Its position in the file: thread numbers may repeat in processes of other machines. */
  readonly place: number;
  /** Whether the recording is grouped by HSA queues, not by HIP streams. */
  readonly isByQueue: boolean;
}

/** Finds the timeline rows of a process's records. */
export class RocprofTracks {
  readonly devices = new Set<number>();

  constructor(
    private readonly builder: TraceBuilder,
    private readonly owner: TrackOwner,
  ) {}

  thread(thread: number): number {
    const {process, pid, place} = this.owner;
    const isMain = thread === pid;
    return this.builder.track({
      kind: 'thread',
      process,
      device: -1,
      thread,
      id: `thread ${String(place)} ${String(thread)}`,
      name: thread < 0 ? 'Unknown thread' : `thread ${String(thread)}${isMain ? ' (main)' : ''}`,
      order: isMain ? order.mainThread : order.thread,
    });
  }

  /**
   * Returns the row of a kernel or a copy, and the number of its stream: -1 for copies that the file assigns to none.
   */
  stream(device: number, {stream, queue}: FoundRecord): {track: number; stream: number} {
    this.devices.add(device);
    const isQueue = queue >= 0 && (this.owner.isByQueue || stream < 0);
    const number = isQueue ? queue : stream;
    const name = number < 0 ? 'Copies' : `${isQueue ? 'Queue' : 'Stream'} ${String(number)}`;
    const track = this.builder.track({kind: 'stream', process: -1, device, id: name, name, order: order.stream});
    return {track, stream: number};
  }

  /**
   * Returns the row of a record that is not GPU work: the thread's, or the process's own for ranges that any thread may
   * end.
   */
  of(kind: SliceKind, thread: number): number {
    const {process, place} = this.owner;
    const id = `${kind} ${String(place)}`;
    if (kind === 'nvtx_startend') {
      const name = 'ROCTx start/stop ranges';
      return this.builder.track({kind: 'process-ranges', process, device: -1, id, name, order: order.ranges});
    }
    if (kind !== 'other') return this.thread(thread);
    return this.builder.track({kind: 'other', process, device: -1, id, name: 'Copies on the host', order: order.other});
  }
}
