import {isFields} from '../base/read-json.js';
import type {EnvironmentValues, PointResult} from './point-result.js';

/** Properties on which figures depend, and which a sweep does not vary. */
const names = ['python', 'torch', 'cuda', 'system', 'cpu', 'commit'] as const;
/** The same for a GPU; a sweep's devices may be different GPUs. */
const gpuNames = ['name', 'driver'] as const;

/**
 * Returns a sentence if points of a sweep were measured in different environments, for example if it was resumed later:
 * `torch 2.12.0, 2.13.0`. A property that a point does not record does not count as a difference. Null if all are the
 * same.
 */
export function environmentDifferences(results: Iterable<PointResult>): string | null {
  const found = new Map<string, Set<string>>();
  const add = (name: string, value: EnvironmentValues[string] | undefined) => {
    if (typeof value !== 'string') return;
    found.set(name, (found.get(name) ?? new Set()).add(value));
  };
  for (const {environment, device} of results) {
    for (const name of names) add(name, environment[name]);
    const {gpu} = environment;
    if (isFields(gpu)) for (const name of gpuNames) add(`GPU ${device ?? ''} ${name}`, gpu[name]);
  }
  const different = Array.from(found).filter(([, values]) => values.size > 1);
  if (different.length === 0) return null;
  const texts = different.map(([name, values]) => `${name} ${listText(Array.from(values))}`);
  return `Not all points were measured in the same surroundings: ${texts.join('; ')}.`;
}

/** Returns the first few: if the user commits during a sweep, there are many commits. */
function listText(values: readonly string[]): string {
  const shown = values.slice(0, 3).join(', ');
  return values.length > 3 ? `${shown} and ${String(values.length - 3)} more` : shown;
}
