import {moduleRange} from './module-forward.js';
import type {Sidecar} from './sidecar.js';

/** What the runner opened a range for: a module's call, or a line, function or loop of the source. */
export type AutomaticKind = 'module' | 'line';

/**
 * Returns the names of the ranges that the runner opened for lines without tags and for modules; empty if it recorded
 * no such line. In the trace, these ranges are operators.
 */
export function automaticRanges(
  sidecar: Pick<Sidecar, 'lines' | 'modules'> | null,
): ReadonlyMap<string, AutomaticKind> {
  if (sidecar === null || sidecar.lines.length === 0) return new Map();
  return new Map<string, AutomaticKind>([
    ...sidecar.modules.map(({name}) => [moduleRange(name), 'module'] as const),
    ...sidecar.lines.map(({name}) => [name, 'line'] as const),
  ]);
}
