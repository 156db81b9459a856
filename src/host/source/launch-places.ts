import type {LaunchSource} from '../../core/questions/launch-sources.js';
import type {SourceIndex} from '../../core/source/source-index.js';
import {getOrAdd} from '../../core/table/get-or-add.js';
import type {SourcePaths} from './source-paths.js';
import {placesOf, type Place, type SeenLines} from './source-places.js';

/** A line that launched GPU operations. */
export interface LaunchPlace extends Place {
  /**
   * The name of the line: of a tagged range, a compiled kernel, a module or a Python frame. Of several, the one with
   * the most work.
   */
  readonly name: string;
  /** Number of names: a line may open a differently named range in each step. */
  readonly names: number;
  /** Sum over all lines that share the names: several lines may open a range of one name. */
  readonly instances: number;
  readonly gpuWorkNs: number;
}

/**
 * Returns the workspace's lines that launched GPU operations, most GPU work first. Each source counts for the lines of
 * its nearest name that has any. Undefined if the user was asked for a file and chose none.
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
    // Only operators of compiled kernels have lines; others may have the same name as a tag by chance.
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
