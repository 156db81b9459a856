import type {OptionSteps} from '../../core/benchmark/option-costs.js';
import {median} from '../../core/base/median.js';
import {isMeasurable, medianChange} from '../../core/compare/median-change.js';
import {formatCount} from '../../core/format/count.js';
import {formatDuration} from '../../core/format/duration.js';
import {medianChangeText} from '../../core/text/median-change-text.js';
import type {RecordedProfile} from './profile-result.js';
import type {RunnerEvent} from './runner-events.js';
import {raisedMessage} from '../python/traceback.js';
import {mergedLoops, placeText, stepsText, type SeenLoop} from './seen-loop.js';
import type {StepTimes} from './step-times.js';

type TraceEvent = Extract<RunnerEvent, {event: 'trace'}>;
type SnapshotEvent = Extract<RunnerEvent, {event: 'snapshot'}>;

/** The result of a run's events. */
export interface RunOutcome {
  readonly traces: readonly TraceEvent[];
  /** Memory snapshots in the order in which they were written. */
  readonly snapshots: readonly SnapshotEvent[];
  /** Exit status, null if the run ended without reporting one (it was killed). */
  readonly status: number | null;
  /** The signal that ended the command, null for none. */
  readonly signal: string | null;
  readonly tail: readonly string[];
  /** Why the command could not be started; null if it was. */
  readonly failure: string | null;
  /** Whether the runner has sent any message. */
  readonly hasStarted: boolean;
  readonly importedTorch: boolean;
  /** Whether a window of time was to be recorded, and whether it began. */
  readonly window: 'none' | 'wanted' | 'begun';
  /** Whether the script profiles itself; our profiler then gives way. */
  readonly hasOwnProfiler: boolean;
  readonly errors: readonly string[];
  /** The loops seen in all processes. */
  readonly loops: readonly SeenLoop[];
  /** Whether the run was to record only on a trigger. */
  readonly isIdle: boolean;
  /** Number of steps of a script that ended before its schedule began; null if it did not. */
  readonly skippedSteps: number | null;
  /** The interpreters of processes that tried to import torch without having it. */
  readonly withoutTorch: readonly string[];
  readonly outOfMemory: boolean;
  /** The ranks of a distributed job that wrote no trace, and the number of ranks. */
  readonly ranks: {readonly world: number; readonly missing: readonly number[]; readonly lostCount: number} | null;
  /** Ranks that began steps and then sent no more messages. */
  readonly hanging: readonly number[];
  /** The time of each recorded step and of each step without the profiler, once both are known. */
  readonly overhead: {readonly profiledNs: readonly number[]; readonly plainNs: readonly number[]} | null;
  /** Steps with and without options of the profiler, of the first process that reported them; null for none. */
  readonly costs: OptionSteps | null;
  /** The time of each measured step of the first rank; null if not requested, or no step was measured. */
  readonly stepTimes: StepTimes | null;
}

/** Collects the events of a run. */
export class RunRecord implements RunOutcome {
  readonly traces: TraceEvent[] = [];
  readonly snapshots: SnapshotEvent[] = [];
  readonly errors: string[] = [];
  status: number | null = null;
  signal: string | null = null;
  tail: readonly string[] = [];
  failure: string | null = null;
  hasStarted = false;
  importedTorch = false;
  window: RunOutcome['window'] = 'none';
  hasOwnProfiler = false;
  isIdle = false;
  skippedSteps: number | null = null;
  outOfMemory = false;
  readonly withoutTorch: string[] = [];
  ranks: RunOutcome['ranks'] = null;
  hanging: readonly number[] = [];
  overhead: RunOutcome['overhead'] = null;
  costs: OptionSteps | null = null;
  stepTimes: StepTimes | null = null;
  /** The number of steps reported by any process. */
  stepsTaken = 0;
  #timedRank = Infinity;
  #knowsTraining = false;

  #writings = 0;
  readonly #loops = new Map<number, readonly SeenLoop[]>();

  get loops(): readonly SeenLoop[] {
    return mergedLoops(this.#loops.values());
  }

  /** Returns whether some process has begun to write a trace that does not exist yet. */
  get isWriting(): boolean {
    // Traces of a script's own profiler are not announced.
    return this.#writings > this.traces.filter(({kind}) => kind !== 'own').length;
  }

  add(event: RunnerEvent): void {
    this.hasStarted = true;
    this.hasOwnProfiler ||= event.event === 'user-profiler';
    this.#takeWindow(event);
    switch (event.event) {
      case 'trace':
        this.traces.push(event);
        break;
      case 'writing':
        this.#writings++;
        break;
      case 'error':
        this.errors.push(event.message);
        break;
      case 'armed':
        this.importedTorch = true;
        this.isIdle ||= event.isIdle;
        break;
      case 'no-torch':
        this.withoutTorch.push(event.python);
        break;
      case 'ranks':
        this.ranks = event;
        break;
      case 'hanging':
        this.hanging = event.ranks;
        break;
      case 'overhead':
        this.#takeOverhead(event);
        break;
      case 'exit':
        this.status = event.status;
        this.signal = event.signal;
        this.tail = event.tail;
        this.failure = event.failure;
        this.outOfMemory = event.outOfMemory;
        break;
      default:
        this.#takeSteps(event);
    }
  }

  #takeSteps(event: RunnerEvent): void {
    if (event.event === 'step') this.stepsTaken++;
    else if (event.event === 'times') this.#takeTimes(event);
    else if (event.event === 'loops') this.#loops.set(event.pid, event.loops);
    else if (event.event === 'costs') this.costs ??= event.costs;
    else if (event.event === 'snapshot') this.snapshots.push(event);
    else if (event.event === 'skipped') this.skippedSteps = Math.max(this.skippedSteps ?? 0, event.steps);
  }

  /** Among ranks, the first counts; within a process, the last steps it reported, which are the ones requested. */
  #takeTimes({rank, what, stepNs, eventNs, device}: Extract<RunnerEvent, {event: 'times'}>): void {
    const order = rank ?? 0;
    if (stepNs.length === 0 || order > this.#timedRank) return;
    this.#timedRank = order;
    this.stepTimes = {what, stepNs, eventNs, device};
  }

  /** The first report counts, except that training takes precedence over the inference before it. */
  #takeOverhead(event: Extract<RunnerEvent, {event: 'overhead'}>): void {
    const isOfTraining = this.traces.some(({path, loop}) => path === event.path && loop?.what === 'train');
    if (this.overhead !== null && (this.#knowsTraining || !isOfTraining)) return;
    this.overhead = event;
    this.#knowsTraining = isOfTraining;
  }

  #takeWindow(event: RunnerEvent): void {
    if (event.event === 'recording' && event.what === 'window') this.window = 'begun';
    if (event.event === 'armed' && event.step === 'window' && this.window === 'none') this.window = 'wanted';
  }
}

/**
 * Returns the traces of a run, the one to show first at the front: the lowest rank's, training before inference, and
 * measured steps before a script's opening, and that before what its graphs captured.
 */
export function profilesOf({traces}: RunOutcome): readonly RecordedProfile[] {
  const order = (trace: TraceEvent) => trace.rank ?? 0;
  const isLesser = ({loop}: TraceEvent) => Number(loop?.what === 'infer' || loop?.what === 'forward');
  const hasSteps = ({steps}: TraceEvent) => Number(steps > 0);
  const isCapture = ({kind}: TraceEvent) => Number(kind === 'capture');
  const sorted = traces.toSorted(
    (a, b) =>
      order(a) - order(b) ||
      hasSteps(b) - hasSteps(a) ||
      isCapture(a) - isCapture(b) ||
      isLesser(a) - isLesser(b) ||
      b.steps - a.steps,
  );
  return sorted.map(({path, kind, steps, rank}) => ({path, kind, steps, rank}));
}

/** Returns whether the user ended the command: Ctrl+C in its terminal reaches it, and not us. */
export function isInterrupted({signal}: RunOutcome): boolean {
  return signal === 'SIGINT';
}

/** Returns the sentences to show after a run; none if it went well and there is nothing to report. */
export function runSentences(name: string, outcome: RunOutcome, isCancelled: boolean): string[] {
  const sentences = isCancelled
    ? [outcome.traces.length > 0 ? null : `Profiling ${name} was cancelled; nothing had been recorded.`]
    : [runSentence(name, outcome), missingRanks(name, outcome), lostProcesses(name, outcome)];
  return [...sentences, firstError(outcome)].filter(sentence => sentence !== null);
}

/** Returns the sentences to show after a run that only lists a script's loops; none if it went well and saw some. */
export function loopsSentences(name: string, outcome: RunOutcome, isCancelled: boolean): string[] {
  if (outcome.status !== 0 || isCancelled) return runSentences(name, outcome, isCancelled);
  return outcome.loops.length > 0 ? [] : [`${name} ran, but no loop was seen: ${whyNothing(outcome)}.`];
}

/** Returns the runner's first error: later errors usually follow from it. */
function firstError({errors}: RunOutcome): string | null {
  const [error] = errors;
  return error === undefined ? null : `${error}${endOf(error)}`;
}

function runSentence(name: string, outcome: RunOutcome): string | null {
  if (outcome.status !== 0) return failureMessage(name, outcome, outcome.traces.length > 0);
  if (outcome.traces.length > 0 || outcome.stepTimes !== null) return recordedSentence(name, outcome);
  const [python] = outcome.withoutTorch;
  if (python !== undefined && !outcome.importedTorch) {
    return `${name} ran, but nothing was recorded: ${python} has no PyTorch.`;
  }
  if (outcome.errors.length > 0) return `${name} ran, but could not be recorded.`;
  if (outcome.isIdle) return `${name} ended, and no trigger had asked for a recording.`;
  if (outcome.skippedSteps !== null) {
    return `${name} ended after ${formatCount(outcome.skippedSteps)} steps, before those that --skip names: nothing was recorded.`;
  }
  return `${name} ran, but nothing was recorded: ${whyNothing(outcome)}.`;
}

/** Returns a sentence the user must read about the recording; null if it is as expected. */
function recordedSentence(name: string, outcome: RunOutcome): string | null {
  if (outcome.traces.some(({why, kind}) => why === 'user-profiler' && kind === 'window')) {
    return `${name} profiles itself: the window of time is recorded until it began to.`;
  }
  if (outcome.hasOwnProfiler && outcome.traces.every(({kind}) => kind === 'own')) {
    return `${name} profiles itself: its own trace is shown.`;
  }
  const partial = outcome.traces.find(({why, kind}) => why !== 'complete' && kind === 'steps');
  if (!partial) return openingSentence(name, outcome);
  const shown = `${formatCount(partial.steps)} ${partial.steps === 1 ? 'is' : 'are'} shown.`;
  if (partial.why === 'error') return `Profiling ${name} stopped before all steps were recorded: ${shown}`;
  const who = partial.rank === null ? name : `Rank ${String(partial.rank)} of ${name}`;
  return `${who} ended before all steps were recorded: ${shown}`;
}

/** Returns a sentence about a script that ended before any step could be recorded; null if it takes no steps. */
function openingSentence(name: string, {traces, loops}: RunOutcome): string | null {
  const [loop] = loops.toSorted((a, b) => Number(b.what === 'train') - Number(a.what === 'train'));
  // A timer writes no trace, so it has no opening to show.
  if (!loop || traces.length === 0 || !traces.every(({kind}) => kind === 'opening' || kind === 'capture')) return null;
  const steps = `${stepsText(loop, loop.count)}${placeText(loop) === null ? '' : ` (${placeText(loop) ?? ''})`}`;
  return `${name} took ${steps}, too few for a warm-up and a recording: its beginning is shown. --warmup 1 --prewarm 0 --active 1 records the second step.`;
}

function whyNothing({importedTorch, hasOwnProfiler, window}: RunOutcome): string {
  if (!importedTorch)
    return 'it did not import torch, or its Python could not be reached. Leave out -E, -I and -S of a Python; where PYTHONPATH is set, write PYTHONPATH=src:$PYTHONPATH; instead of env -i, use env -u NAME. For a program without Python, record with nsys (profiler: nsys)';
  if (hasOwnProfiler) return 'it profiles itself, and exported no trace';
  switch (window) {
    case 'none':
      return 'it opened no range, called no module and took no optimizer step';
    case 'wanted':
      return 'it ended before the window of time began';
    case 'begun':
      return 'it did nothing with torch in the window of time';
  }
}

function missingRanks(name: string, {ranks, hanging}: RunOutcome): string | null {
  if (ranks === null || ranks.missing.length === 0) return null;
  const {world, missing} = ranks;
  const some = missing.slice(0, 10).join(', ') + (missing.length > 10 ? ' and more' : '');
  const which = missing.length === 1 ? `rank ${some}` : `ranks ${some}`;
  const why = missing.some(rank => hanging.includes(rank)) ? ', which had stopped making steps' : '';
  return `${formatCount(missing.length)} of the ${formatCount(world)} ranks of ${name} wrote no profile: ${which}${why}.`;
}

function lostProcesses(name: string, {ranks}: RunOutcome): string | null {
  if (ranks === null || ranks.lostCount === 0) return null;
  const who = ranks.lostCount === 1 ? '1 process' : `${formatCount(ranks.lostCount)} processes`;
  return `${who} of ${name} took steps and ended without a profile of them.`;
}

/** Returns a sentence with the cost of the profiler; null if no steps were measured without it. */
export function overheadNote({overhead}: RunOutcome): string | null {
  const change = overhead && medianChange(overhead.profiledNs, overhead.plainNs);
  if (!change) return null;
  const times = [overhead.profiledNs, overhead.plainNs].map(ns => formatDuration(median(ns)));
  const said = `A step took ${times[0] ?? ''} with the profiler, ${times[1] ?? ''} without`;
  if (isMeasurable(change)) {
    if (change.percent > 0) return `${said}: ${medianChangeText(change)}.`;
    return `${said}; what the profiler costs is not measurable: the recorded steps did less than the others.`;
  }
  const why = change.interval ? 'steps differ more among themselves' : 'that takes three steps of each kind at least';
  return `${said}; what the profiler costs is ${medianChangeText(change)}: ${why}.`;
}

function failureMessage(
  script: string,
  {status, signal, hasStarted, tail, failure, outOfMemory}: RunOutcome,
  hasTrace: boolean,
): string {
  // The runner's own output about a failed start is in the terminal; none of it is the script's.
  if (!hasStarted) {
    const code = status === null ? '' : `, which ended with exit code ${String(status)}`;
    return `${script} could not be started: the interpreter did not run the recorder${code}.`;
  }
  // Python exits with 1 on an exception. With another status, the script's output is not the reason.
  const reason = failure ?? (status === 1 ? raisedMessage(tail) : null);
  const shown = hasTrace ? ' What was recorded before is shown.' : '';
  if (outOfMemory) return `${script} was ended by the system, which had no more memory.${shown}`;
  if (status !== null && signal !== null) return `${script} was ended by the signal ${signal}.${shown}`;
  const how = status === null ? 'was ended' : `failed with exit code ${String(status)}`;
  return `${script} ${how}${reason === null ? '' : `: ${reason.slice(0, 300)}`}${endOf(reason ?? '')}${shown}`;
}

function endOf(sentence: string | undefined): string {
  return sentence !== undefined && /[.!?]$/.test(sentence) ? '' : '.';
}
