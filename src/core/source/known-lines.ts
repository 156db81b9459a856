import {moduleRange} from './module-forward.js';
import type {KernelSite, Sidecar} from './sidecar.js';

/** What a line is known for. */
type LineKind = 'tag' | 'module' | 'compiled kernel' | 'compiled call';

/** A line that somebody noted when the profile was recorded, and the name in the profile that it stands for. */
export interface KnownLine {
  /** Of a range, of a module's ranges, of a compiled kernel, or of a compiled region. */
  readonly name: string;
  readonly kind: LineKind;
  /** As it was noted: relative to the workspace where it lies inside. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** How often the line opened the range; null for other kinds. */
  readonly count: number | null;
}

/** The lines of tags and modules that the runner saw, and of compiled kernels and calls. */
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
