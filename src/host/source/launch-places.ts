import type {LaunchSource} from '../../core/queries/launch-sources.js';
import type {SourceIndex} from '../../core/source/source-index.js';
import {getOrAdd} from '../../core/table/get-or-add.js';
import type {SourcePaths} from './source-paths.js';
import {placesOf, type Place, type SeenLines} from './source-places.js';

/** A line that launched GPU operations. */
export interface LaunchPlace extends Place {
  /** What the line is known by: a tagged range, a compiled kernel, a module or a Python frame. */
  readonly name: string;
  /** Of all that names it share: several lines may open a range of one name. */
  readonly instances: number;
  readonly gpuWorkNs: number;
}

/**
 * The lines of the workspace that launched GPU operations, most GPU work first: of each source those of the nearest name that
 * has some. Undefined where the user was asked for a file and chose none.
 */
export async function launchPlaces(
  sources: readonly LaunchSource[],
  seen: SeenLines | null,
  index: SourceIndex,
  paths: SourcePaths,
): Promise<LaunchPlace[] | undefined> {
  const known = new Map<string, readonly Place[]>();
  const find = async (name: string) => {
    const places = known.get(name) ?? (await placesOf(name, seen, index, paths));
    if (places) known.set(name, places);
    return places;
  };
  const found = new Map<string, LaunchPlace & {instances: number; gpuWorkNs: number}>();
  for (const {operator, names, instances, gpuWorkNs} of sources) {
    // Of operators only those of compiled kernels have lines; of others a tag may happen to have the name.
    const isCompiled = operator !== null && seen?.kernels.some(site => site.name === operator) === true;
    for (const name of isCompiled ? [operator, ...names] : names) {
      const places = await find(name);
      if (!places) return undefined;
      for (const place of places) {
        const key = JSON.stringify([place.file, place.cell, place.line, name]);
        const sum = getOrAdd(found, key, () => ({...place, name, instances: 0, gpuWorkNs: 0}));
        sum.instances += instances;
        sum.gpuWorkNs += gpuWorkNs;
      }
      if (places.length > 0) break;
    }
  }
  return [...found.values()].sort((a, b) => b.gpuWorkNs - a.gpuWorkNs);
}
