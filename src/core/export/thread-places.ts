import {nestedLanes} from '../trace/lanes.js';
import type {Trace} from '../trace/trace.js';

/** Where slices stand in a file that knows processes and threads alone. */
export interface ThreadPlaces {
  /** Slice → number of its thread. */
  readonly tid: Int32Array;
  /** By thread, the first of a track being the track's own: its process and name. */
  readonly threads: readonly {readonly tid: number; readonly pid: number; readonly name: string}[];
  readonly processes: readonly {readonly pid: number; readonly name: string}[];
  readonly pidOfTrack: Int32Array;
  /** Of an index into `Trace.processes`; the process of what belongs to none for -1. */
  readonly pidOfProcess: (process: number) => number;
}

/**
 * A thread per track. Slices that begin inside another one and end after it stand on a thread of their lane: slices of
 * a lane never overlap.
 */
export function placeThreads(trace: Trace): ThreadPlaces {
  const {slices, tracks, processes} = trace;
  const lanes = nestedLanes(trace);
  const tid = new Int32Array(slices.length);
  const threads: {tid: number; pid: number; name: string}[] = [];
  const deviceIds = [...new Set(tracks.map(({device}) => device))].filter(device => device >= 0).sort((a, b) => a - b);
  // Numbers of our own: the file's need not be numbers, and those of GPUs collide with them.
  const pidOfDevice = new Map(deviceIds.map((device, index) => [device, index]));
  const firstPid = deviceIds.length + 1;
  const pidOfProcess = (process: number) => (process < 0 ? firstPid - 1 : firstPid + process);
  const pidOfTrack = Int32Array.from(tracks, ({device, process}) => pidOfDevice.get(device) ?? pidOfProcess(process));
  tracks.forEach((track, index) => {
    const first = addThread(pidOfTrack[index], track.name);
    const ofLane = new Map<number, number>();
    const open: number[] = [];
    for (let row = track.firstSlice; row < track.endSlice; row++) {
      const startNs = slices.startNs[row];
      const endNs = startNs + slices.durationNs[row];
      while (open.length > 0 && open[open.length - 1] <= startNs) open.pop();
      if (open.length === 0 || endNs <= open[open.length - 1]) {
        open.push(endNs);
        tid[row] = first;
        continue;
      }
      const lane = lanes[row];
      let thread = ofLane.get(lane);
      if (thread === undefined)
        ofLane.set(lane, (thread = addThread(pidOfTrack[index], `${track.name} (overlapping)`)));
      tid[row] = thread;
    }
  });
  const named = [
    ...deviceIds.map((device, pid) => ({pid, name: `GPU ${String(device)}`})),
    {pid: firstPid - 1, name: 'Others'},
    ...processes.map(({pid, name}, index) => ({pid: pidOfProcess(index), name: `${name} ${pid}`.trim()})),
  ];
  return {tid, threads, processes: named, pidOfTrack, pidOfProcess};

  function addThread(pid: number, name: string): number {
    const number = threads.length + 1;
    threads.push({tid: number, pid, name});
    return number;
  }
}
