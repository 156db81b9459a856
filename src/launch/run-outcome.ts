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

/** The trace to show of a run: of the lowest rank, and measured steps before a script's opening. */
export function bestTrace({traces}: RunOutcome): TraceEvent | null {
  const rank = (trace: TraceEvent) => trace.rank ?? 0;
  const sorted = traces.toSorted((a, b) => rank(a) - rank(b) || b.steps - a.steps);
  return sorted[0] ?? null;
}

/** What to tell the user of a run, in one sentence; null where it went well and there is nothing to say. */
export function runMessage(script: string, outcome: RunOutcome): string | null {
  const trace = bestTrace(outcome);
  if (outcome.status !== 0) return failureMessage(script, outcome, trace !== null);
  if (trace)
    return trace.why === 'complete' || trace.kind === 'opening'
      ? null
      : `${script} ended before all steps were recorded: ${String(trace.steps)} are shown.`;
  if (outcome.errors.length > 0) return `${script} ran, but could not be recorded: ${outcome.errors[0] ?? ''}`;
  if (!outcome.importedTorch) return `${script} ran, but nothing was recorded: it did not import torch.`;
  return `${script} ran, but nothing was recorded: it opened no range, called no module and took no optimizer step.`;
}

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
        : `recording step ${String(Math.min(event.done + 1, event.total))}/${String(event.total)}`;
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
