/** The protocol's version that this side reads; `gpulens_runner/events.py` writes it. */
const protocolVersion = 1;

/** What the runner and its agents report of a run. */
export type RunnerEvent =
  | {readonly event: 'started'}
  | {readonly event: 'armed'; readonly torch: string}
  | {readonly event: 'recording'}
  | {readonly event: 'opening-full'; readonly seconds: number}
  | {readonly event: 'step'; readonly phase: 'warm-up' | 'recording'; readonly done: number; readonly total: number}
  | {readonly event: 'user-profiler'}
  | {readonly event: 'writing'}
  | {
      readonly event: 'trace';
      readonly path: string;
      readonly kind: string;
      readonly why: string;
      readonly steps: number;
      readonly rank: number | null;
      /** How many ranks the job has, null where it is not distributed. */
      readonly world: number | null;
    }
  | {readonly event: 'error'; readonly message: string}
  | {readonly event: 'exit'; readonly status: number; readonly tail: readonly string[]};

/** The event in one line; null for lines of another version or form, which are passed over. */
export function parseRunnerEvent(line: string): RunnerEvent | null {
  const fields = asFields(line);
  if (fields?.['v'] !== protocolVersion || typeof fields['event'] !== 'string') return null;
  const read = Object.hasOwn(readers, fields['event']) ? readers[fields['event']] : undefined;
  return read ? read(fields) : null;
}

type Fields = Readonly<Record<string, unknown>>;

const readers: Readonly<Record<string, (fields: Fields) => RunnerEvent | null>> = {
  started: () => ({event: 'started'}),
  recording: () => ({event: 'recording'}),
  writing: () => ({event: 'writing'}),
  'user-profiler': () => ({event: 'user-profiler'}),
  armed: ({torch}) => (typeof torch === 'string' ? {event: 'armed', torch} : null),
  'opening-full': ({seconds}) => (typeof seconds === 'number' ? {event: 'opening-full', seconds} : null),
  step: ({phase, done, total}) =>
    (phase === 'warm-up' || phase === 'recording') && isCount(done) && isCount(total)
      ? {event: 'step', phase, done, total}
      : null,
  trace: ({path, kind, why, steps, rank, world}) =>
    typeof path === 'string' && typeof kind === 'string' && typeof why === 'string' && isCount(steps)
      ? {
          event: 'trace',
          path,
          kind,
          why,
          steps,
          rank: isCount(rank) ? rank : null,
          world: isCount(world) ? world : null,
        }
      : null,
  error: ({message}) => (typeof message === 'string' ? {event: 'error', message} : null),
  exit: ({status, tail}) =>
    isCount(status) && Array.isArray(tail)
      ? {event: 'exit', status, tail: tail.filter((line): line is string => typeof line === 'string')}
      : null,
};

function asFields(line: string): Fields | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Fields) : null;
  } catch {
    return null;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
