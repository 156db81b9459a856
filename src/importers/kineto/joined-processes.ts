import {KeyedRows} from '../../core/table/keyed-rows.js';
import {getOrAdd} from '../../core/table/get-or-add.js';
import {countedWording, noteOf, type TraceNote} from '../../core/trace/trace-note.js';
import type {Trace} from '../../core/trace/trace.js';

/** The processes of a trace in which several processes have calls with the same correlation ids. */
interface Joined {
  readonly callProcess: Int32Array;
  readonly operationProcess: Int32Array;
  /** Number of operations with calls of several processes, and of those among them that could not be resolved. */
  readonly shared: number;
  readonly assumed: readonly number[];
}

/**
 * Returns the trace with calls and GPU operations joined within their processes, if calls of several processes have
 * the same correlation ids; else the same trace, which is the case for files that Kineto writes.
 *
 * An operation has a device but no process. A device belongs to the only process with calls for the ids of its
 * operations, else to the only one that has called before all of them. If neither decides, the operations of an id are
 * assigned to its calls in order of start, and are marked as assumed.
 */
export function withJoinedProcesses(trace: Trace): Trace {
  const joined = joinProcesses(trace);
  if (!joined) return trace;
  const {gpuOperations, apiCalls, processes} = trace;
  const {shared, assumed, callProcess, operationProcess} = joined;
  const slices = Int32Array.from([...trace.assumed, ...assumed.map(operation => gpuOperations.slice[operation])]);
  const pids = [...new Set(callProcess)].map(process => processes[process]?.pid ?? '?').sort();
  return {
    ...trace,
    apiCalls: {...apiCalls, process: callProcess},
    gpuOperations: {...gpuOperations, process: operationProcess},
    assumed: slices.sort(),
    notes: [...trace.notes, sharedIdsNote(pids, shared, assumed.length)],
  };
}

function sharedIdsNote(pids: readonly string[], shared: number, assumed: number): TraceNote {
  const sharing = countedWording(
    shared,
    'Calls of processes {1} share the correlation id of {0} GPU operation.',
    'Calls of processes {1} share the correlation ids of {0} GPU operations.',
    pids.join(', '),
  );
  const told = countedWording(
    shared - assumed,
    '{0} operation was assigned to the process whose calls fit the device.',
    '{0} operations were assigned to the process whose calls fit the device.',
  );
  const guessed = countedWording(
    assumed,
    'The file does not say which process {0} operation belongs to. GPU Lens assigned it to the calls with its id in order of start.',
    'The file does not say which process {0} operations belong to. GPU Lens assigned them to the calls with their ids in order of start.',
  );
  const code = 'attribution/shared-ids';
  if (assumed === 0) return noteOf(code, '{0} {1}', sharing, told);
  if (assumed === shared) return noteOf(code, '{0} {1}', sharing, guessed);
  return noteOf(code, '{0} {1} {2}', sharing, told, guessed);
}

/** Returns null if no id has calls of two processes. */
function joinProcesses({slices, tracks, gpuOperations, apiCalls}: Trace): Joined | null {
  const callProcess = Int32Array.from(apiCalls.slice, slice => Math.max(0, tracks[slices.track[slice]].process));
  if (callProcess.every(process => process === callProcess[0])) return null;
  const startOf = (call: number) => slices.startNs[apiCalls.slice[call]];
  const byId = new KeyedRows(apiCalls.correlation);
  const operationProcess = new Int32Array(gpuOperations.length);
  const waiting: Waiting[] = [];
  const ofDevice = new Map<number, Set<number>>();
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const slot = byId.slot(gpuOperations.correlation[operation]);
    if (slot < 0) continue;
    const calls = [...byId.rows.subarray(byId.offsets[slot], byId.offsets[slot + 1])];
    const [first] = calls;
    const device = gpuOperations.device[operation];
    if (calls.every(call => callProcess[call] === callProcess[first])) {
      operationProcess[operation] = callProcess[first];
      getOrAdd(ofDevice, device, () => new Set<number>()).add(callProcess[first]);
    } else waiting.push({operation, device, slot, calls: calls.sort((a, b) => startOf(a) - startOf(b) || a - b)});
  }
  byId.release();
  if (waiting.length === 0) return null;
  const early = earlyProcesses(waiting, callProcess, ({operation}, call) => {
    return slices.startNs[gpuOperations.slice[operation]] < startOf(call);
  });
  const assumed: number[] = [];
  const nextOf = new Map<number, number>();
  for (const {operation, device, slot, calls} of waiting) {
    const candidates = [...new Set(calls.map(call => callProcess[call]))];
    const told =
      onlyOne(candidates.filter(process => isOnlyOf(ofDevice.get(device), process))) ??
      onlyOne(candidates.filter(process => early.get(device)?.has(process) !== true));
    if (told !== null) {
      operationProcess[operation] = told;
      continue;
    }
    const next = nextOf.get(slot) ?? 0;
    nextOf.set(slot, next + 1);
    operationProcess[operation] = callProcess[calls[Math.min(next, calls.length - 1)]];
    assumed.push(operation);
  }
  return {callProcess, operationProcess, shared: waiting.length, assumed};
}

function isOnlyOf(processes: ReadonlySet<number> | undefined, process: number): boolean {
  return processes?.size === 1 && processes.has(process);
}

function onlyOne(processes: readonly number[]): number | null {
  return processes.length === 1 ? processes[0] : null;
}

/** An operation with calls of several processes, in order of start. */
interface Waiting {
  readonly operation: number;
  readonly device: number;
  readonly slot: number;
  readonly calls: readonly number[];
}

/** Returns, by device, the processes whose calls with an operation's id all begin after it: they did not launch it. */
function earlyProcesses(
  waiting: readonly Waiting[],
  callProcess: Int32Array,
  isBefore: (waiting: Waiting, call: number) => boolean,
): Map<number, Set<number>> {
  const early = new Map<number, Set<number>>();
  for (const each of waiting) {
    const called = new Set(each.calls.filter(call => !isBefore(each, call)).map(call => callProcess[call]));
    for (const call of each.calls) {
      if (!called.has(callProcess[call])) getOrAdd(early, each.device, () => new Set<number>()).add(callProcess[call]);
    }
  }
  return early;
}
