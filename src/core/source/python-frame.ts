/** A frame, as PyTorch's profiler names it. */
export interface PythonFrame {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly name: string;
}

/** Parses `path/file.py(12): name`; null if the name is not a frame in a file. */
export function parsePythonFrame(name: string): PythonFrame | null {
  const match = /^([^<].*\.py)\((\d+)\): (.*)$/.exec(name);
  return match ? {path: match[1], line: Math.max(1, Number(match[2])), name: match[3]} : null;
}
