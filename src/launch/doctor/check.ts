/** The result of one check of what profiling may need on this machine. */
export interface Check {
  /** What was checked, in a word or two. */
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do, in one sentence; null if nothing needs doing. */
  readonly remedy: string | null;
}

export function good(check: string, found: string): Check {
  return {check, ok: true, found, remedy: null};
}

export function bad(check: string, found: string, remedy: string): Check {
  return {check, ok: false, found, remedy};
}
