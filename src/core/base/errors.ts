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
  | 'rpc/failed'
  | 'rpc/closed'
  | 'trace/too-many-open-ranges'
  | 'selection/no-match'
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
  | 'launch/nsys-too-old'
  | 'launch/nsys-failed';

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

/** What V8 says where the machine has no more memory, or an array would be longer than there can be. */
const outOfMemory = /allocation failed|invalid (typed )?array( buffer)? length/i;

/** Whether an error, or one that it was thrown because of, says that there is no more memory. */
export function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error instanceof RangeError && outOfMemory.test(error.message)) || isOutOfMemory(error.cause);
}

/**
 * The code and sentence of anything thrown; what is not a `TraceError` keeps its own message under `fallback`. Where
 * memory ran out, that is the sentence, whoever met it.
 */
export function describeError(error: unknown, fallback: TraceErrorCode): {code: TraceErrorCode; message: string} {
  const isTold = error instanceof TraceError && error.code === 'engine/out-of-memory';
  if (isOutOfMemory(error) && !isTold) {
    return {
      code: 'engine/out-of-memory',
      message: 'There is not enough memory for this profile: close other profiles or programs.',
    };
  }
  if (error instanceof TraceError) return {code: error.code, message: error.message};
  return {code: fallback, message: error instanceof Error ? error.message : String(error)};
}

/** Ends a `switch` over a union: a case that was forgotten does not compile. */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected value ${JSON.stringify(value)}`);
}
