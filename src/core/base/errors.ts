import {say} from './say.js';
/**
 * What can go wrong, as stable codes. The message states the fact for a person; the code is for programs and tests.
 */
export type TraceErrorCode =
  | 'file/missing'
  | 'file/directory'
  | 'file/permission'
  | 'file/empty'
  | 'file/unreadable'
  | 'file/changed'
  | 'file/locked'
  | 'file/unwritable'
  | 'import/unknown-format'
  | 'import/not-a-trace'
  | 'import/no-events'
  | 'import/not-nsys'
  | 'import/nsys-report'
  | 'import/damaged'
  | 'import/too-large'
  | 'import/not-plain-data'
  | 'import/cancelled'
  | 'profile/not-open'
  | 'engine/out-of-memory'
  | 'internal'
  | 'rpc/failed'
  | 'rpc/closed'
  | 'trace/too-many-open-ranges'
  | 'selection/no-match'
  | 'capture/no-replays'
  | 'capture/no-graphs'
  | 'capture/does-not-fit'
  | 'capture/too-large'
  | 'path/too-large'
  | 'predicted-gpu/measured'
  | 'predicted-gpu/no-shapes'
  | 'predicted-gpu/no-costs'
  | 'compare/nothing-printed'
  | 'ranks/other-job'
  | 'sql/not-allowed'
  | 'sql/error'
  | 'sql/cancelled'
  | 'sql/out-of-memory'
  | 'sql/failed'
  | 'search/bad-pattern'
  | 'bench/bad-config'
  | 'bench/running'
  | 'bench/no-results'
  | 'bench/cancelled'
  | 'launch/no-python'
  | 'launch/not-started'
  | 'launch/failed'
  | 'launch/no-allocation'
  | 'launch/bad-template'
  | 'launch/no-nsys'
  | 'launch/nsys-refused'
  | 'launch/nsys-too-old'
  | 'launch/nsys-failed'
  | 'prove/no-repository'
  | 'prove/no-commit'
  | 'prove/failed'
  | 'prove/cancelled';

/** The base of every error this project throws on purpose: `code` is stable, `message` is one sentence of fact. */
export class TraceError extends Error {
  override readonly name = 'TraceError';
  constructor(
    readonly code: TraceErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** V8's messages when memory runs out, or an array would exceed the largest length. */
const outOfMemory = /allocation failed|invalid (typed )?array( buffer)? length/i;

/** Returns whether an error, or one of its causes, says that memory ran out. */
export function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error instanceof RangeError && outOfMemory.test(error.message)) || isOutOfMemory(error.cause);
}

/**
 * Returns the code and message of anything thrown. An error other than a `TraceError` keeps its message and gets the
 * code `fallback`. If memory ran out, the message says so, whatever was thrown. If `fallback` is `internal`, an error
 * of the system becomes `file/unreadable`, and the message of any other calls it an internal error.
 */
export function describeError(error: unknown, fallback: TraceErrorCode): {code: TraceErrorCode; message: string} {
  const isTold = error instanceof TraceError && error.code === 'engine/out-of-memory';
  if (isOutOfMemory(error) && !isTold) {
    return {
      code: 'engine/out-of-memory',
      message: say('There is not enough memory for this profile. Close other profiles or programs.'),
    };
  }
  if (error instanceof TraceError) return {code: error.code, message: error.message};
  const message = error instanceof Error ? error.message : String(error);
  if (fallback !== 'internal') return {code: fallback, message};
  if (isSystemError(error)) return {code: 'file/unreadable', message};
  return {code: 'internal', message: say('Internal error of GPU Lens: {0}', message)};
}

/** Returns whether an error is one of the system, such as `ENOSPC`, and so no fault of the program. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z0-9]+$/.test(error.code);
}

/** The most errors of a chain of causes that `storyOf` lists. */
const mostCauses = 8;

/**
 * Returns the stacks of an error and its causes, for a log or an issue, never for a message to the user. An error from
 * another thread or process has the stack that was sent with it.
 */
export function storyOf(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at !== undefined && at !== null && parts.length < mostCauses;) {
    if (!(at instanceof Error)) {
      parts.push(typeof at === 'string' ? at : `a thrown ${typeof at}`);
      break;
    }
    const code = at instanceof TraceError ? ` [${at.code}]` : '';
    parts.push(`${at.stack ?? `${at.name}: ${at.message}`}${code}`);
    at = at.cause;
  }
  return parts.join('\nCaused by: ');
}

/** Returns an error of another thread or process, with the stack that it had there. */
export function remoteError(message: string, story: string): Error {
  const error = new Error(message);
  error.name = 'RemoteError';
  error.stack = story;
  return error;
}

/** Ends a `switch` over a union: a case that was forgotten does not compile. */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected value ${JSON.stringify(value)}`);
}
