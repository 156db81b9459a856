import {say} from '../base/say.js';
import {TraceError} from '../base/errors.js';
import {kindMask, taggedRangeKinds} from '../trace/slices.js';
import type {Process, Trace} from '../trace/trace.js';

/** A process that a profile can be limited to. */
export interface ProcessChoice {
  /** Its system process id, as the file spells it. */
  readonly pid: string;
  /** "python3 (111) · GPU 0" */
  readonly text: string;
}

/** Returns a process's text: "python3 (1234)". */
export function processText({pid, name}: Process): string {
  return name === '' ? `Process ${pid}` : `${name} (${pid})`;
}

/**
 * Returns the processes that launched GPU work, by their GPUs; in a profile without GPU work, those with tagged ranges.
 * Empty if there are fewer than two, since there is nothing to choose.
 */
export function processChoices(trace: Trace): ProcessChoice[] {
  const gpus = gpusOfProcesses(trace);
  const found = gpus.size > 0 ? [...gpus.keys()] : [...processesWithRanges(trace)];
  const choices = found
    // A trace with only GPU work may name no process.
    .filter(process => process >= 0 && process < trace.processes.length)
    .map(process => {
      const known = trace.processes[process];
      const devices = [...(gpus.get(process) ?? [])].sort((a, b) => a - b);
      const gpu = devices.length > 0 ? ` · GPU ${devices.join(', ')}` : '';
      return {pid: known.pid, text: processText(known) + gpu, order: [devices[0] ?? Infinity, Number(known.pid)]};
    })
    .sort((a, b) => compare(a.order[0], b.order[0]) || compare(a.order[1], b.order[1]));
  // Processes of several machines may have the same id, which then selects all of them.
  const byPid = new Map(choices.map(({pid, text}) => [pid, {pid, text}]));
  return byPid.size < 2 ? [] : [...byPid.values()];
}

/** Returns the indices of the processes with an id. @throws TraceError `selection/no-match` */
export function processesOfPid({processes}: Trace, pid: string): ReadonlySet<number> {
  const found = new Set(processes.flatMap((process, at) => (process.pid === pid ? [at] : [])));
  if (found.size === 0) throw new TraceError('selection/no-match', say('This profile has no process {0}.', pid));
  return found;
}

/**
 * Returns whether no other process has work on this process's GPUs. Otherwise, time without its work is not necessarily
 * idle.
 */
export function hasDevicesAlone(trace: Trace, pid: string): boolean {
  const own = processesOfPid(trace, pid);
  const gpus = [...gpusOfProcesses(trace)];
  const ofOthers = new Set(gpus.flatMap(([process, devices]) => (own.has(process) ? [] : [...devices])));
  return gpus.every(([process, devices]) => !own.has(process) || [...devices].every(device => !ofOthers.has(device)));
}

/** Returns the GPUs on which each process has work. */
function gpusOfProcesses({gpuOperations: {length, process, device}}: Trace): Map<number, Set<number>> {
  const gpus = new Map<number, Set<number>>();
  for (let operation = 0; operation < length; operation++) {
    const known = gpus.get(process[operation]);
    if (known) known.add(device[operation]);
    else gpus.set(process[operation], new Set([device[operation]]));
  }
  return gpus;
}

function processesWithRanges({tracks, slices}: Trace): Set<number> {
  const isTagged = kindMask(taggedRangeKinds);
  const has = ({firstSlice, endSlice}: {firstSlice: number; endSlice: number}) => {
    for (let row = firstSlice; row < endSlice; row++) if (isTagged[slices.kind[row]] === 1) return true;
    return false;
  };
  return new Set(tracks.filter(track => track.process >= 0 && has(track)).map(({process}) => process));
}

/** Compares numbers; NaN and equal infinities compare as equal. */
function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
