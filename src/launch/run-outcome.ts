import {formatCount} from '../core/format/count.js';
import type {RecordedProfile} from './profile-result.js';
import type {RunnerEvent} from './runner-events.js';

type TraceEvent = Extract<RunnerEvent, {event: 'trace'}>;

/** What the events of a run add up to. */
export interface RunOutcome {
  readonly traces: readonly TraceEvent[];
  /** Exit status, null where the run ended without saying (it was killed). */
  readonly status: number | null;
  readonly tail: readonly string[];
  /** Whether the runner has said anything at all. */
  readonly hasStarted: boolean;
  readonly importedTorch: boolean;
  readonly errors: readonly string[];
}

/** Collects the events of a run. */
export class RunRecord implements RunOutcome {
  readonly traces: TraceEvent[] = [];
  readonly errors: string[] = [];
  status: number | null = null;
  tail: readonly string[] = [];
  hasStarted = false;
  importedTorch = false;

  add(event: RunnerEvent): void {
    this.hasStarted = true;
    if (event.event === 'trace') this.traces.push(event);
    else if (event.event === 'error') this.errors.push(event.message);
    else if (event.event === 'armed') this.importedTorch = true;
    else if (event.event === 'exit') {
      this.status = event.status;
      this.tail = event.tail;
    }
  }
}

/** The traces of a run, the one to show first: the lowest rank's, and measured steps before a script's opening. */
export function profilesOf({traces}: RunOutcome): readonly RecordedProfile[] {
  const order = (trace: TraceEvent) => trace.rank ?? 0;
  const sorted = traces.toSorted((a, b) => order(a) - order(b) || b.steps - a.steps);
  return sorted.map(({path, kind, steps, rank}) => ({path, kind, steps, rank}));
}

/** What to tell the user of a run, one sentence each; none where it went well and there is nothing to say. */
export function runSentences(name: string, outcome: RunOutcome, isCancelled: boolean): string[] {
  if (isCancelled) {
    return outcome.traces.length > 0 ? [] : [`Profiling ${name} was cancelled; nothing had been recorded.`];
  }
  return [runSentence(name, outcome), missingRanks(name, outcome)].filter(sentence => sentence !== null);
}

function runSentence(name: string, outcome: RunOutcome): string | null {
  if (outcome.status !== 0) return failureMessage(name, outcome, outcome.traces.length > 0);
  if (outcome.traces.length > 0) {
    const partial = outcome.traces.find(({why, kind}) => why !== 'complete' && kind === 'steps');
    if (!partial) return null;
    const who = partial.rank === null ? name : `Rank ${String(partial.rank)} of ${name}`;
    return `${who} ended before all steps were recorded: ${formatCount(partial.steps)} are shown.`;
  }
  if (outcome.errors.length > 0) return `${name} ran, but could not be recorded: ${outcome.errors[0] ?? ''}`;
  if (!outcome.importedTorch) return `${name} ran, but nothing was recorded: it did not import torch.`;
  return `${name} ran, but nothing was recorded: it opened no range, called no module and took no optimizer step.`;
}

/** The ranks of a distributed job that wrote no trace. */
function missingRanks(name: string, {traces}: RunOutcome): string | null {
  const world = Math.max(0, ...traces.map(trace => trace.world ?? 0));
  const present = new Set(traces.map(({rank}) => rank));
  const missing = Array.from({length: Math.min(world, mostRanks)}, (_, rank) => rank).filter(
    rank => !present.has(rank),
  );
  if (missing.length === 0) return null;
  const some = missing.slice(0, 10).join(', ') + (missing.length > 10 ? ' and more' : '');
  const which = missing.length === 1 ? `rank ${some}` : `ranks ${some}`;
  return `${formatCount(missing.length)} of the ${formatCount(world)} ranks of ${name} wrote no profile: ${which}.`;
}

/** A world is a number in a message that anyone may have written. */
const mostRanks = 100_000;

function failureMessage(script: string, {status, hasStarted, tail}: RunOutcome, hasTrace: boolean): string {
  if (status === null && !hasStarted) return `${script} could not be started: the interpreter did not run.`;
  const reason = tail.findLast(line => line.trim() !== '')?.trim();
  const how = status === null ? 'was ended' : `failed with exit code ${String(status)}`;
  const shown = hasTrace ? ' What was recorded before is shown.' : '';
  return `${script} ${how}${reason ? `: ${reason.slice(0, 300)}` : ''}${endOf(reason)}${shown}`;
}

function endOf(sentence: string | undefined): string {
  return sentence !== undefined && /[.!?]$/.test(sentence) ? '' : '.';
}

/** What an event means for a person who waits. */
export function progressText(event: RunnerEvent): string | null {
  switch (event.event) {
    case 'started':
      return 'starting';
    case 'armed':
      return 'waiting for the first step';
    case 'recording':
      return 'recording the first step';
    case 'step':
      return event.phase === 'warm-up'
        ? `warm-up ${String(event.done)}/${String(event.total)}`
        : `step ${String(Math.min(event.done + 1, event.total))}/${String(event.total)}`;
    case 'opening-full':
      return `no step within ${String(event.seconds)} s: recorded that much`;
    case 'user-profiler':
      return 'the script profiles itself: waiting for its trace';
    case 'writing':
      return 'writing the trace';
    case 'trace':
      return 'recorded; waiting for the script to end';
    case 'error':
    case 'exit':
      return null;
  }
}
