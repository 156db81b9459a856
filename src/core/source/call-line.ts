/** A line of a Python file. The line pass names calls of torch after it. */
export interface CallPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** Parses `src/model.py:12`; null for any other name. */
export function parseCallLine(name: string): CallPlace | null {
  const match = /^([^\n]+\.pyw?):([1-9]\d{0,8})$/.exec(name);
  return match ? {file: match[1], line: Number(match[2])} : null;
}
