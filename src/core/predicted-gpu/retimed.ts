import {stepsOf} from '../scope/steps.js';
import {pushAll} from '../table/extremes.js';
import {getOrAdd} from '../table/get-or-add.js';
import {upperBound} from '../table/search.js';
import type {Trace} from '../trace/trace.js';
import {gpuThreads} from './gpu-threads.js';
import type {PredictedWork} from './gpu-work-of.js';
import {launchCallNs, launchDelayNs, mostOutstanding, type GpuMachine} from './gpu-machine.js';

/** A call that launches an operator's work, or waits for it. Times are predicted. */
interface Launch {
  /** The operator: row of `slices`. */
  readonly slice: number;
  readonly process: number;
  readonly callNs: number;
  readonly callEndNs: number;
  readonly gpuStartNs: number;
  readonly gpuNs: number;
  readonly isWait: boolean;
}

/** When recorded events would happen with a GPU. */
export interface Retiming {
  /** Converts a time of a track in the recording to the predicted time, whole ns; monotonic. */
  readonly at: (track: number, ns: number) => number;
  readonly launches: readonly Launch[];
}

/** The CPU time per tensor in an optimizer that handles all tensors in one call. */
const mergedNs = 500;

/**
 * Replays a recording with a GPU, each process separately. Its threads keep their relative order: autograd's thread
 * runs while the thread that called it waits, so of two concurrent operators, the later one only gets the time that the
 * earlier one leaves. The GPU is idle when the first step begins, as in a profile after a warm-up.
 */
export function retimed(trace: Trace, work: readonly PredictedWork[], machine: GpuMachine): Retiming {
  const {tracks, slices} = trace;
  const ofProcess = new Map<number, PredictedWork[]>();
  for (const item of work) getOrAdd(ofProcess, tracks[slices.track[item.slice]].process, () => []).push(item);
  const maps = new Map<number, TimeMap>();
  const launches: Launch[] = [];
  for (const [process, own] of ofProcess) {
    const first = stepsOf(trace).find(step => step.process === process);
    const map = new TimeMap();
    maps.set(process, map);
    pushAll(launches, launchesOf(trace, own, machine, map, first?.startNs ?? -Infinity));
  }
  const {all} = gpuThreads(trace);
  // Work concurrent with the steps takes its recorded time.
  const mapOf = (track: number) => (all.has(track) ? maps.get(tracks[track].process) : undefined);
  return {at: (track, ns) => mapOf(track)?.at(ns) ?? ns, launches};
}

function launchesOf(
  {slices, tracks}: Trace,
  work: readonly PredictedWork[],
  machine: GpuMachine,
  map: TimeMap,
  firstStepNs: number,
): Launch[] {
  const ordered = work.toSorted((a, b) => a.startNs - b.startNs || a.slice - b.slice);
  const launches: Launch[] = [];
  /** When each kernel so far is done. */
  const doneNs: number[] = [];
  for (const {slice, startNs, endNs, class: kind, gpuNs, basis, isMerged} of ordered) {
    const {process} = tracks[slices.track[slice]];
    const fromNs = Math.max(map.lastNs, startNs);
    const toNs = Math.max(fromNs, endNs);
    const beginsNs = map.at(fromNs);
    if (fromNs >= firstStepNs && map.lastNs < firstStepNs) doneNs.length = 0;
    if (basis === 'free') {
      map.add(fromNs, toNs, Math.min(toNs - fromNs, machine.operatorNs));
      continue;
    }
    const freeNs = doneNs.at(-1) ?? 0;
    if (basis === 'wait') {
      const callEndNs = Math.max(beginsNs + (toNs - fromNs), freeNs);
      map.add(fromNs, toNs, callEndNs - beginsNs);
      launches.push({slice, process, callNs: beginsNs, callEndNs, gpuStartNs: 0, gpuNs: 0, isWait: true});
      continue;
    }
    const cpuNs = Math.min(toNs - fromNs, isMerged ? mergedNs : machine.operatorNs);
    const isFreeAtNs = doneNs.at(-mostOutstanding) ?? 0;
    const stalledNs = doneNs.length < mostOutstanding ? 0 : Math.max(0, isFreeAtNs - beginsNs - cpuNs);
    map.add(fromNs, toNs, cpuNs + stalledNs);
    const callEndNs = map.at(toNs);
    const callNs = Math.max(beginsNs, callEndNs - stalledNs - launchCallNs);
    const gpuStartNs = Math.max(freeNs, callEndNs + launchDelayNs);
    const runNs = Math.max(1, Math.round(gpuNs * machine.slownessOf(kind)));
    doneNs.push(gpuStartNs + runNs);
    launches.push({slice, process, callNs, callEndNs, gpuStartNs, gpuNs: runNs, isWait: false});
  }
  return launches;
}

/** A mapping of times that run as recorded, except for parts with another duration. */
class TimeMap {
  readonly #from: number[] = [0];
  readonly #to: number[] = [0];

  /** The end of the last part, in recorded time. */
  get lastNs(): number {
    return this.#from[this.#from.length - 1];
  }

  /** Sets the duration of a part of the recording, after all earlier parts, to `ns`. */
  add(fromNs: number, toNs: number, ns: number): void {
    const beginsNs = this.at(fromNs);
    this.#from.push(fromNs, toNs);
    this.#to.push(beginsNs, beginsNs + ns);
  }

  at(ns: number): number {
    const next = upperBound(this.#from, ns);
    const before = Math.max(0, next - 1);
    const passedNs = ns - this.#from[before];
    if (next >= this.#from.length) return Math.round(this.#to[before] + passedNs);
    const lengthNs = this.#from[next] - this.#from[before];
    return Math.round(this.#to[before] + (passedNs / lengthNs) * (this.#to[next] - this.#to[before]));
  }
}
