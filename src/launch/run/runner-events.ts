import {isCount, isFields, parseJsonLine, textOrNull, type JsonFields} from '../../core/base/read-json.js';
import {parseOptionSteps, type OptionSteps} from '../../core/benchmark/option-costs.js';
import {parseSeenLoop, type SeenLoop} from './seen-loop.js';
import {parseStepTimes, type StepTimes} from './step-times.js';

/** The protocol version that this side reads; `gpulens_runner/events.py` writes it. */
const protocolVersion = 1;

/** An event of a run, from the runner or its agents. */
export type RunnerEvent =
  | {readonly event: 'started'}
  | {readonly event: 'no-torch'; readonly python: string}
  /** `step` is the kind of step to record: `window` for a window of time. */
  | {
      readonly event: 'armed';
      readonly torch: string;
      readonly step: string | null;
      /** Whether it records nothing until a trigger asks for it. */
      readonly isIdle: boolean;
    }
  /** How a process handles a trigger: `ready` to begin with other ranks, `taken`, `done`, or `refused`. */
  | {readonly event: 'trigger'; readonly id: string; readonly state: string; readonly process: string}
  /** The script ended after `steps` steps, before its schedule began. */
  | {readonly event: 'skipped'; readonly steps: number}
  /** A profiler starts; `what` is `opening`, `capture`, `steps`, `window` or `lines`. */
  | {readonly event: 'recording'; readonly what: string}
  | {readonly event: 'opening-full'; readonly seconds: number}
  | {readonly event: 'step'; readonly phase: StepPhase; readonly done: number; readonly total: number}
  | {readonly event: 'no-step'; readonly seconds: number}
  | {readonly event: 'hanging'; readonly ranks: readonly number[]; readonly seconds: number}
  | {readonly event: 'user-profiler'}
  | {readonly event: 'writing'}
  /** The run is being ended: `signal`, `recorded`, `hanging` or `parent`. */
  | {readonly event: 'stopping'; readonly why: string}
  | {
      readonly event: 'trace';
      readonly path: string;
      readonly kind: string;
      readonly why: string;
      readonly steps: number;
      readonly rank: number | null;
      /** Number of ranks in the job, null if it is not distributed. */
      readonly world: number | null;
      /** The trigger that requested it; null for the run's own. */
      readonly trigger: string | null;
      /** The number of its first step, counted from 1; null if unknown. */
      readonly first: number | null;
      /** What and where its steps are; null if it has none, or the runner did not report it. */
      readonly loop: SeenLoop | null;
    }
  /** A memory snapshot was written; `why` is the same as a trace's, or `out-of-memory`. */
  | {readonly event: 'snapshot'; readonly path: string; readonly why: string; readonly rank: number | null}
  /** All loops that a process has seen so far. */
  | {readonly event: 'loops'; readonly pid: number; readonly loops: readonly SeenLoop[]}
  /** Only inference was recorded; the runner waits this long for training before it stops the script. */
  | {readonly event: 'waiting'; readonly seconds: number}
  | ({readonly event: 'times'; readonly rank: number | null} & StepTimes)
  | {readonly event: 'costs'; readonly costs: OptionSteps}
  | {
      readonly event: 'overhead';
      /** The trace whose steps were compared; null if the runner did not report it. */
      readonly path: string | null;
      readonly profiledNs: readonly number[];
      readonly plainNs: readonly number[];
    }
  | {
      readonly event: 'ranks';
      readonly world: number;
      readonly missing: readonly number[];
      /** Number of processes, other than missing ranks, that took steps and ended without a profile of them. */
      readonly lostCount: number;
    }
  | {readonly event: 'error'; readonly message: string}
  | {
      readonly event: 'exit';
      readonly status: number;
      /** The name of the signal that ended it, null for none. */
      readonly signal: string | null;
      readonly tail: readonly string[];
      readonly outOfMemory: boolean;
      /** Why the command could not be started; null if it was. */
      readonly failure: string | null;
    };

const stepPhases = ['warm-up', 'pre-warm', 'recording', 'lines', 'costs'] as const;
export type StepPhase = (typeof stepPhases)[number];

/** Returns the event in one line; null for a line of another version or form, which the caller skips. */
export function parseRunnerEvent(line: string): RunnerEvent | null {
  const fields = parseJsonLine(line);
  if (fields?.['v'] !== protocolVersion || typeof fields['event'] !== 'string') return null;
  const read = Object.hasOwn(readers, fields['event']) ? readers[fields['event']] : undefined;
  return read ? read(fields) : null;
}

const readers: Readonly<Record<string, (fields: JsonFields) => RunnerEvent | null>> = {
  started: () => ({event: 'started'}),
  recording: ({what}) => ({event: 'recording', what: textOrNull(what) ?? ''}),
  writing: () => ({event: 'writing'}),
  'user-profiler': () => ({event: 'user-profiler'}),
  stopping: ({why}) => (typeof why === 'string' ? {event: 'stopping', why} : null),
  armed: ({torch, step, idle}) =>
    typeof torch === 'string' ? {event: 'armed', torch, step: textOrNull(step), isIdle: idle === true} : null,
  trigger: ({id, state, pid, host}) =>
    typeof id === 'string' && typeof state === 'string'
      ? {event: 'trigger', id, state, process: `${textOrNull(host) ?? ''}:${String(pid)}`}
      : null,
  skipped: ({steps}) => (isCount(steps) ? {event: 'skipped', steps} : null),
  'opening-full': ({seconds}) => (typeof seconds === 'number' ? {event: 'opening-full', seconds} : null),
  step: ({phase, done, total}) => {
    const known = stepPhases.find(candidate => candidate === phase);
    return known && isCount(done) && isCount(total) ? {event: 'step', phase: known, done, total} : null;
  },
  'no-torch': ({python}) => (typeof python === 'string' ? {event: 'no-torch', python} : null),
  'no-step': ({seconds}) => (typeof seconds === 'number' ? {event: 'no-step', seconds} : null),
  hanging: ({ranks, seconds}) =>
    typeof seconds === 'number' ? {event: 'hanging', ranks: countsIn(ranks), seconds} : null,
  times: fields => {
    const times = parseStepTimes(fields);
    return times && {event: 'times', rank: isCount(fields['rank']) ? fields['rank'] : null, ...times};
  },
  costs: fields => {
    const costs = parseOptionSteps(fields);
    return costs && {event: 'costs', costs};
  },
  overhead: ({path, profiledNs, plainNs}) =>
    areDurations(profiledNs) && areDurations(plainNs)
      ? {event: 'overhead', path: textOrNull(path), profiledNs, plainNs}
      : null,
  ranks: ({world, missing, lost}) => {
    const ranks = countsIn(missing);
    // A job that is not distributed has no world size.
    return {event: 'ranks', world: isCount(world) ? world : 0, missing: ranks, lostCount: lostBeside(ranks, lost)};
  },
  loops: ({pid, loops}) =>
    Array.isArray(loops)
      ? {event: 'loops', pid: isCount(pid) ? pid : 0, loops: loops.map(parseSeenLoop).filter(loop => loop !== null)}
      : null,
  waiting: ({seconds}) => (typeof seconds === 'number' ? {event: 'waiting', seconds} : null),
  trace: ({path, kind, why, steps, rank, world, loop, trigger, first}) =>
    typeof path === 'string' && typeof kind === 'string' && typeof why === 'string' && isCount(steps)
      ? {
          event: 'trace',
          path,
          kind,
          why,
          steps,
          rank: isCount(rank) ? rank : null,
          world: isCount(world) ? world : null,
          trigger: textOrNull(trigger),
          first: isCount(first) ? first : null,
          loop: parseSeenLoop(loop),
        }
      : null,
  snapshot: ({path, why, rank}) =>
    typeof path === 'string' && typeof why === 'string'
      ? {event: 'snapshot', path, why, rank: isCount(rank) ? rank : null}
      : null,
  error: ({message}) => (typeof message === 'string' ? {event: 'error', message} : null),
  exit: ({status, signal, tail, outOfMemory, failure}) =>
    isCount(status) && Array.isArray(tail)
      ? {
          event: 'exit',
          status,
          signal: textOrNull(signal),
          tail: tail.filter(line => typeof line === 'string'),
          outOfMemory: outOfMemory === true,
          failure: textOrNull(failure),
        }
      : null,
};

function countsIn(value: unknown): number[] {
  return Array.isArray(value) ? value.filter(isCount) : [];
}

function lostBeside(missing: readonly number[], lost: unknown): number {
  const processes = Array.isArray(lost) ? lost.filter(isFields) : [];
  return processes.filter(({rank}) => !isCount(rank) || !missing.includes(rank)).length;
}

function areDurations(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(isCount);
}
