import {isFields} from '../base/read-json.js';
import type {EnvironmentValues, PointResult} from './point-result.js';

/** What figures depend on, and a sweep does not vary. */
const names = ['python', 'torch', 'cuda', 'system', 'cpu', 'commit'] as const;
/** The same of a GPU; several devices of one sweep may be different GPUs. */
const gpuNames = ['name', 'driver'] as const;

/**
 * One sentence where points of a sweep were measured in different surroundings, as happens where it was gone on with
 * later: `torch 2.12.0, 2.13.0`. What a point does not tell differs from nothing. Null where all are the same.
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

/** The first few: who commits while a sweep runs has many commits. */
function listText(values: readonly string[]): string {
  const shown = values.slice(0, 3).join(', ');
  return values.length > 3 ? `${shown} and ${String(values.length - 3)} more` : shown;
}
