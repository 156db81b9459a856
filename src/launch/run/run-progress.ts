import type {RunnerEvent, StepPhase} from './runner-events.js';

type Kind = RunnerEvent['event'];
type Texts = {readonly [K in Kind]: (event: Extract<RunnerEvent, {event: K}>) => string | null};

const nothing = () => null;

const recorded: ReadonlyMap<string, string> = new Map([
  ['opening', 'the first step'],
  ['window', 'a window of time'],
  ['lines', 'the lines of calls'],
  ['capture', 'what graphs capture'],
]);

const texts: Texts = {
  started: () => 'starting',
  'no-torch': () => 'a Python without PyTorch was started',
  armed: ({step, isIdle}) =>
    isIdle ? 'waiting for a trigger' : `waiting for the ${step === 'window' ? 'window of time' : 'first step'}`,
  trigger: nothing,
  skipped: nothing,
  recording: ({what}) => `recording ${recorded.get(what) ?? 'steps'}`,
  step: ({phase, done, total}) => stepText(phase, done, total),
  'no-step': ({seconds}) => `no step within ${String(seconds)} s: a window of time can be recorded instead`,
  hanging: ({ranks, seconds}) => `no more steps${ofRanks(ranks)} for ${String(seconds)} s`,
  'opening-full': ({seconds}) => `no step within ${String(seconds)} s: recorded that much`,
  'user-profiler': () => 'the script profiles itself: waiting for its trace',
  stopping: ({why}) => (why === 'hanging' ? 'ending the processes that hang' : 'ending what was started'),
  writing: () => 'writing the trace',
  trace: () => 'recorded; waiting for the script to end',
  waiting: ({seconds}) =>
    `inference is recorded; waiting up to ${String(seconds)} s for training (--stop-wait 0 does not wait)`,
  snapshot: () => 'the memory snapshot is written',
  loops: nothing,
  overhead: nothing,
  costs: nothing,
  times: nothing,
  ranks: nothing,
  error: nothing,
  exit: nothing,
};

/** Returns the progress text for an event; null if it has none. */
export function progressText(event: RunnerEvent): string | null {
  return (texts[event.event] as (event: RunnerEvent) => string | null)(event);
}

/** A job that is not distributed has no ranks. */
function ofRanks(ranks: readonly number[]): string {
  if (ranks.length === 0) return '';
  return ` of ${ranks.length === 1 ? 'rank' : 'ranks'} ${ranks.join(', ')}`;
}

function stepText(phase: StepPhase, done: number, total: number): string | null {
  // The current step. After the last step there is none; a separate event reports what follows.
  if (phase === 'recording') return done < total ? `step ${String(done + 1)}/${String(total)}` : null;
  const names = {
    'warm-up': 'warm-up',
    'pre-warm': 'profiler’s warm-up',
    lines: 'lines of calls',
    costs: 'what options cost',
  } as const;
  return `${names[phase]} ${String(done)}/${String(total)}`;
}
