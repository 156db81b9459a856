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
  | 'import/unknown-format'
  | 'import/not-a-trace'
  | 'import/no-events'
  | 'import/not-nsys'
  | 'import/nsys-report'
  | 'import/damaged'
  | 'import/too-large'
  | 'import/cancelled'
  | 'profile/not-open'
  | 'engine/out-of-memory'
  | 'rpc/failed'
  | 'rpc/closed'
  | 'trace/too-many-open-ranges'
  | 'selection/no-match'
  | 'search/bad-pattern'
  | 'launch/no-python'
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

/** The code and sentence of anything thrown; what is not a `TraceError` keeps its own message under `fallback`. */
export function describeError(error: unknown, fallback: TraceErrorCode): {code: TraceErrorCode; message: string} {
  if (error instanceof TraceError) return {code: error.code, message: error.message};
  return {code: fallback, message: error instanceof Error ? error.message : String(error)};
}

/** Ends a `switch` over a union: a case that was forgotten does not compile. */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected value ${JSON.stringify(value)}`);
}
