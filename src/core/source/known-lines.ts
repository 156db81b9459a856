import {moduleRange} from './module-forward.js';
import type {KernelSite, Sidecar} from './sidecar.js';

/** Why a line is known. */
type LineKind = 'tag' | 'module' | 'compiled kernel' | 'compiled call';

/** A line that was recorded with the profile, and the name in the profile that it belongs to. */
export interface KnownLine {
  /** The name of a range, a module's ranges, a compiled kernel, or a compiled region. */
  readonly name: string;
  readonly kind: LineKind;
  /** As recorded: relative to the workspace if the file is inside. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The number of times the line opened the range; null for other kinds. */
  readonly count: number | null;
}

/** Returns the lines of tags and modules that the runner saw, and of compiled kernels and calls. */
export function knownLines(sidecar: Sidecar | null, kernels: readonly KernelSite[]): KnownLine[] {
  const of = (kind: LineKind, name: string, file: string, line: number, count: number | null = null) => ({
    ...{name, kind, file, line, count},
  });
  return [
    ...(sidecar?.sites ?? []).map(({name, file, line, count}) => of('tag', name, file, line, count)),
    ...(sidecar?.modules ?? []).flatMap(({name, file, line}) =>
      file === undefined || line === undefined ? [] : [of('module', moduleRange(name), file, line)],
    ),
    ...kernels.map(({name, file, line}) => of('compiled kernel', name, file, line)),
    ...(sidecar?.compiledCalls ?? []).map(({name, file, line}) => of('compiled call', name, file, line)),
  ];
}
