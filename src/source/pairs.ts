/** A call that opens or closes a range, in the order of the text. */
export interface PairedCall {
  /** Calls of one family (a library, a domain) and one function close one another. */
  readonly group: string;
  readonly line: number;
  /** Place of the opened tag in the caller's list; null for a call that closes. */
  readonly opens: number | null;
  /** What a range is ended by; null where the last that was pushed is popped. */
  readonly id: string | null;
}

/**
 * The last line of each opened range: that of the call that closes it, by nesting, or by the id that it is given.
 *
 * One that pops with nothing open closes the last again: it stands on another way out of the function.
 */
export function closingLines(calls: readonly PairedCall[]): Map<number, number> {
  const lines = new Map<number, number>();
  const open = new Map<string, number[]>();
  const lastClosed = new Map<string, number>();
  for (const {group, line, opens, id} of calls) {
    const key = `${group} ${id ?? ''}`;
    const stack = open.get(key) ?? [];
    open.set(key, stack);
    if (opens !== null) stack.push(opens);
    else {
      const closed = stack.pop() ?? lastClosed.get(key);
      if (closed === undefined) continue;
      lastClosed.set(key, closed);
      lines.set(closed, Math.max(line, lines.get(closed) ?? line));
    }
  }
  return lines;
}
