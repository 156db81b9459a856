import type {LaunchSource} from '../../core/questions/launch-sources.js';
import type {SourceIndex} from '../../core/source/source-index.js';
import {getOrAdd} from '../../core/table/get-or-add.js';
import type {SourcePaths} from './source-paths.js';
import {placesOf, type Place, type SeenLines} from './source-places.js';

/** A line that launched GPU operations. */
export interface LaunchPlace extends Place {
  /** What the line is known by: a tagged range, a compiled kernel, a module or a Python frame. Of several most work. */
  readonly name: string;
  /** How many names: a line may open a range of another one in each step. */
  readonly names: number;
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
  const found = new Map<string, FoundPlace>();
  for (const {operator, names, instances, gpuWorkNs} of sources) {
    // Of operators only those of compiled kernels have lines; of others a tag may happen to have the name.
    const isCompiled = operator !== null && seen?.kernels.some(site => site.name === operator) === true;
    for (const name of isCompiled ? [operator, ...names] : names) {
      const places = await find(name);
      if (!places) return undefined;
      for (const place of places) {
        const key = JSON.stringify([place.file, place.cell, place.line]);
        const {ofNames} = getOrAdd(found, key, () => ({place, ofNames: new Map<string, Work>()}));
        const sum = getOrAdd(ofNames, name, () => ({name, instances: 0, gpuWorkNs: 0}));
        sum.instances += instances;
        sum.gpuWorkNs += gpuWorkNs;
      }
      if (places.length > 0) break;
    }
  }
  return [...found.values()].map(launchPlace).sort((a, b) => b.gpuWorkNs - a.gpuWorkNs);
}

interface Work {
  readonly name: string;
  instances: number;
  gpuWorkNs: number;
}

interface FoundPlace {
  readonly place: Place;
  readonly ofNames: Map<string, Work>;
}

function launchPlace({place, ofNames}: FoundPlace): LaunchPlace {
  const all = [...ofNames.values()];
  const most = all.reduce((best, work) => (work.gpuWorkNs > best.gpuWorkNs ? work : best));
  return {
    ...place,
    name: most.name,
    names: all.length,
    instances: all.reduce((sum, work) => sum + work.instances, 0),
    gpuWorkNs: all.reduce((sum, work) => sum + work.gpuWorkNs, 0),
  };
}
