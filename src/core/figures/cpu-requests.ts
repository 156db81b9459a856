import {isCpuCollective} from '../names/kernel-class.js';
import {getOrAdd} from '../table/get-or-add.js';
import {kindIndex} from '../trace/slices.js';
import {namesThat} from '../trace/names-that.js';
import type {Trace} from '../trace/trace.js';

const allToAll = 'all_to_all';

/** Returns whether an operator requests an all-to-all. On the CPU, only this operator records the splits. */
export function isAllToAllRequest(name: string): boolean {
  return name === 'c10d::alltoall_base_' || name === 'c10d::alltoall_';
}

/**
 * Returns which operator requested each all-to-all that Gloo ran on a thread of its own: annotation → operator, rows of
 * `slices`. Gloo runs calls in the order in which they are requested. A process in which the order differs, or in which
 * the recording lacks some calls, is left out.
 */
export function cpuRequests(trace: Trace): Map<number, number> {
  const {slices, strings, tracks} = trace;
  const isOnCpu = namesThat(trace, isCpuCollective);
  const isRequest = namesThat(trace, isAllToAllRequest);
  const byProcess = new Map<number, {asked: number[]; done: number[]}>();
  for (let row = 0; row < slices.length; row++) {
    const isDone = slices.kind[row] === kindIndex.user_annotation && isOnCpu(row);
    const isAsked = slices.kind[row] === kindIndex.cpu_op && isRequest(row);
    if (!isAsked && !(isDone && strings.get(slices.name[row]).includes(allToAll))) continue;
    const found = getOrAdd(byProcess, tracks[slices.track[row]].process, () => ({asked: [], done: []}));
    (isAsked ? found.asked : found.done).push(row);
  }
  const requests = new Map<number, number>();
  for (const {asked, done} of byProcess.values()) {
    const byStart = (a: number, b: number) => slices.startNs[a] - slices.startNs[b];
    asked.sort(byStart);
    done.sort(byStart);
    const isInOrder = done.every((row, at) => at < asked.length && slices.startNs[asked[at]] <= slices.startNs[row]);
    if (isInOrder && asked.length === done.length) done.forEach((row, at) => requests.set(row, asked[at]));
  }
  return requests;
}
