/** A call that opens or closes a range, in the order of the text. */
export interface PairedCall {
  /** Calls of the same family (a library, a domain) and function close one another. */
  readonly group: string;
  readonly line: number;
  /** Index of the opened tag in the caller's list; null for a call that closes. */
  readonly opens: number | null;
  /** The id that ends the range; null if the range pushed last is popped. */
  readonly id: string | null;
}

/**
 * Returns the last line of each opened range: the line of the call that closes it, by nesting or by id.
 *
 * A pop with no open range closes the last one again: it is on another exit of the function.
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
