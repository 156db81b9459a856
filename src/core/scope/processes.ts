import {TraceError} from '../base/errors.js';
import {kindMask, taggedRangeKinds} from '../trace/slices.js';
import type {Process, Trace} from '../trace/trace.js';

/** A process that a profile can be narrowed to. */
export interface ProcessChoice {
  /** The system's number of it, as the file spells it. */
  readonly pid: string;
  /** "python3 (111) · GPU 0" */
  readonly text: string;
}

/** A process in words: "python3 (1234)". */
export function processText({pid, name}: Process): string {
  return name === '' ? `Process ${pid}` : `${name} (${pid})`;
}

/**
 * The processes that made the GPU work, by their GPUs; in a profile without any, those with tagged ranges. Empty where
 * there are less than two: they need no choice.
 */
export function processChoices(trace: Trace): ProcessChoice[] {
  const gpus = gpusOfProcesses(trace);
  const found = gpus.size > 0 ? [...gpus.keys()] : [...processesWithRanges(trace)];
  const choices = found
    // A trace of GPU work alone may name no process.
    .filter(process => process >= 0 && process < trace.processes.length)
    .map(process => {
      const known = trace.processes[process];
      const devices = [...(gpus.get(process) ?? [])].sort((a, b) => a - b);
      const gpu = devices.length > 0 ? ` · GPU ${devices.join(', ')}` : '';
      return {pid: known.pid, text: processText(known) + gpu, order: [devices[0] ?? Infinity, Number(known.pid)]};
    })
    .sort((a, b) => compare(a.order[0], b.order[0]) || compare(a.order[1], b.order[1]));
  // Processes of several machines may have one number: it chooses all of them.
  const byPid = new Map(choices.map(({pid, text}) => [pid, {pid, text}]));
  return byPid.size < 2 ? [] : [...byPid.values()];
}

/** The processes with a number, by index. @throws TraceError `selection/no-match` */
export function processesOfPid({processes}: Trace, pid: string): ReadonlySet<number> {
  const found = new Set(processes.flatMap((process, at) => (process.pid === pid ? [at] : [])));
  if (found.size === 0) throw new TraceError('selection/no-match', `This profile has no process ${pid}.`);
  return found;
}

/** Whether no other process has work on the GPUs of this one, so that time without its work is idle time of theirs. */
export function hasDevicesAlone(trace: Trace, pid: string): boolean {
  const own = processesOfPid(trace, pid);
  const gpus = [...gpusOfProcesses(trace)];
  const ofOthers = new Set(gpus.flatMap(([process, devices]) => (own.has(process) ? [] : [...devices])));
  return gpus.every(([process, devices]) => !own.has(process) || [...devices].every(device => !ofOthers.has(device)));
}

/** Process → the GPUs that it has work on. */
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

/** Numbers that are none, and infinite ones, are alike. */
function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
