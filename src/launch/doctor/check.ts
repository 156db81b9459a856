/** One thing that profiling may need, as it was found on this machine. */
export interface Check {
  /** What was looked at, in a word or two. */
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do, one sentence; null where there is nothing to do. */
  readonly remedy: string | null;
}

export function good(check: string, found: string): Check {
  return {check, ok: true, found, remedy: null};
}

export function bad(check: string, found: string, remedy: string): Check {
  return {check, ok: false, found, remedy};
}
