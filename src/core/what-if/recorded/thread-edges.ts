import {namesThat} from '../../trace/names-that.js';
import {kindIndex} from '../../trace/slices.js';
import {getOrAdd} from '../../table/get-or-add.js';
import type {Trace} from '../../trace/trace.js';
import type {RecordedEvent} from './recorded-events.js';
import type {RecordedMoment, RecordedMoments} from './recorded-moments.js';

/** Returns whether a call may wait for the GPU; its time is then not its own. */
const isWaitingName = (name: string) =>
  /^cuda(?:DeviceSynchronize|StreamSynchronize|Event(?:Query|Synchronize)|Memcpy|MemcpyAsync)$/.test(name);
/** Returns whether a call holds the lock of the CUDA runtime, which only one call of a process can hold at a time. */
const isLockingName = (name: string) => /^cuda(?:HostAlloc|LaunchKernel|MemcpyAsync)$/.test(name);

/** Adds what events of threads wait for: their own thread, and the lock of the CUDA runtime. */
export function addThreadEdges(trace: Trace, moments: RecordedMoments, events: readonly RecordedEvent[]): void {
  const waits = namesThat(trace, isWaitingName);
  const locks = namesThat(trace, isLockingName);
  addLockEdges(moments, ({slice}) => locks(slice));
  const joined = joinedTracks(trace, events);
  const byTrack = new Map<number, RecordedEvent[]>();
  for (const event of events) {
    if (event.operation < 0) getOrAdd(byTrack, joined.get(event.track) ?? event.track, () => []).push(event);
  }
  for (const list of byTrack.values()) {
    list.sort((a, b) => a.startNs - b.startNs || b.endNs - a.endNs || a.slice - b.slice);
    addStackEdges(
      moments,
      list,
      ({slice}) => waits(slice),
      ({slice}) => locks(slice),
    );
  }
}

type Test = (event: RecordedEvent) => boolean;

/**
 * Visits the calls of a thread depth first. Time inside an operator counts; time between the outermost operators and in
 * waiting calls does not.
 */
function addStackEdges(
  {startOf, endOf, join}: RecordedMoments,
  events: readonly RecordedEvent[],
  waits: Test,
  locks: Test,
): void {
  const open: RecordedEvent[] = [];
  let last: RecordedMoment | undefined;
  const enter = (event: RecordedEvent) => {
    const start = startOf.get(event);
    if (last && start && !isOfLock(last, start, locks)) {
      if (open.length === 0) join('thread', last, start, 0);
      else join('cpu', last, start, start.ns - last.ns);
    }
    last = start;
    open.push(event);
  };
  const leave = (event: RecordedEvent) => {
    const end = endOf.get(event);
    if (last && end && !isOfLock(last, end, locks)) join('cpu', last, end, waits(event) ? 0 : end.ns - last.ns);
    last = end;
  };
  for (const event of events) {
    for (let top = open.at(-1); top && top.endNs <= event.startNs; top = open.at(-1)) {
      open.pop();
      leave(top);
    }
    enter(event);
  }
  for (let top = open.pop(); top; top = open.pop()) leave(top);
}

/** Returns whether the lock joins two consecutive moments of a thread. */
function isOfLock(first: RecordedMoment, second: RecordedMoment, locks: Test): boolean {
  return locks(first.event) && locks(second.event) && (first.isStart || !second.isStart);
}

/** Adds edges for the lock: of overlapping calls, the one that finished first held the lock first. */
function addLockEdges({inOrder, join}: RecordedMoments, locks: Test): void {
  let begun: RecordedMoment[] = [];
  let last: RecordedMoment | undefined;
  for (const moment of inOrder) {
    if (moment.event.operation >= 0 || !locks(moment.event)) continue;
    if (moment.isStart) begun.push(moment);
    else {
      for (const start of begun.reverse()) {
        if (start.event === moment.event) join('cpu', start, moment, moment.ns - start.ns);
        else join('thread', start, moment, 0);
      }
      begun = [];
      if (last && !last.isStart) join('thread', last, moment, 0);
    }
    last = moment;
  }
}

/** Maps track → track. If only one thread runs the forward pass and only one other runs autograd, they count as one. */
function joinedTracks(trace: Trace, events: readonly RecordedEvent[]): ReadonlyMap<number, number> {
  const only = (text: string): number => {
    const isNamed = namesThat(trace, name => name.includes(text));
    const tracks = new Set<number>();
    for (const {slice, track} of events) {
      if (trace.slices.kind[slice] === kindIndex.cpu_op && isNamed(slice)) tracks.add(track);
    }
    return tracks.size === 1 ? [...tracks][0] : -1;
  };
  const [forward, backward] = [only('forward'), only('autograd')];
  return new Map(forward >= 0 && backward >= 0 && forward !== backward ? [[backward, forward]] : []);
}
