import {nestedLanes} from '../trace/lanes.js';
import type {Trace} from '../trace/trace.js';

/** The positions of slices in a file format that has only processes and threads. */
export interface ThreadPlaces {
  /** Slice → number of its thread. */
  readonly tid: Int32Array;
  /** By thread: process and name. The first thread of a track is the track's own. */
  readonly threads: readonly {readonly tid: number; readonly pid: number; readonly name: string}[];
  readonly processes: readonly {readonly pid: number; readonly name: string}[];
  readonly pidOfTrack: Int32Array;
  /** Returns the pid for an index into `Trace.processes`; for -1, the pid of everything without a process. */
  readonly pidOfProcess: (process: number) => number;
}

/**
 * Creates a thread per track. Slices that begin inside another one and end after it are on a separate thread for their
 * lane: slices of a lane never overlap.
 */
export function placeThreads(trace: Trace): ThreadPlaces {
  const {slices, tracks, processes} = trace;
  const lanes = nestedLanes(trace);
  const tid = new Int32Array(slices.length);
  const threads: {tid: number; pid: number; name: string}[] = [];
  const deviceIds = [...new Set(tracks.map(({device}) => device))].filter(device => device >= 0).sort((a, b) => a - b);
  // Own numbers: ids in the file may not be numbers, and GPUs' numbers would collide with them.
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
