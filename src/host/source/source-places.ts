import {parseCallLine} from '../../core/source/call-line.js';
import {moduleRange, simpleClassName} from '../../core/source/module-forward.js';
import {parsePythonFrame} from '../../core/source/python-frame.js';
import type {KernelSite, Sidecar} from '../../core/source/sidecar.js';
import type {InCell, SourceIndex} from '../../core/source/source-index.js';
import {getOrAdd} from '../../core/table/get-or-add.js';
import type {SourcePaths} from './source-paths.js';

/** A line of a workspace file. */
export interface Place extends InCell {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** The known lines of a profile. */
export interface SeenLines {
  readonly sidecar: Sidecar | null;
  readonly kernels: readonly KernelSite[];
}

/**
 * Returns the workspace's lines of a name: lines that opened a range of this name, on which a module's ranges are, from
 * which a compiled kernel comes, that called a compiled region, that contain a Python frame, or that the line pass
 * names.
 *
 * Undefined if the user was asked for a file and chose none.
 */
export async function placesOf(
  name: string,
  seen: SeenLines | null,
  index: SourceIndex,
  paths: SourcePaths,
): Promise<readonly Place[] | undefined> {
  const frame = parsePythonFrame(name);
  const at = frame ? {file: frame.path, line: frame.line} : parseCallLine(name);
  if (at) return seenPlaces([at], index, paths);
  // What the runner saw is exact; the other lines may only have the same name.
  const sidecar = seen?.sidecar;
  const modules = sidecar?.modules.filter(module => moduleRange(module.name) === name) ?? [];
  const sites = seen ? sitesOf(name, seen) : [];
  const places = await seenPlaces([...sites, ...modules], index, paths);
  if (!places || places.length > 0) return places;
  return modules[0] ? index.forwardsOf(simpleClassName(modules[0].class)) : index.placesFor(name);
}

/** A line, and the first name that led to it. */
export interface NamedPlace extends Place {
  readonly name: string;
}

/** Returns the lines of several names, each once. Undefined as above. */
export async function placesOfNames(
  names: readonly string[],
  seen: SeenLines | null,
  index: SourceIndex,
  paths: SourcePaths,
): Promise<readonly NamedPlace[] | undefined> {
  const found = new Map<string, NamedPlace>();
  for (const name of names) {
    const places = await placesOf(name, seen, index, paths);
    if (!places) return undefined;
    for (const place of places) {
      getOrAdd(found, JSON.stringify([place.file, place.cell, place.line]), () => ({...place, name}));
    }
  }
  return [...found.values()];
}

function sitesOf(name: string, {sidecar, kernels}: SeenLines): {readonly file: string; readonly line: number}[] {
  return [...(sidecar?.sites ?? []), ...kernels, ...(sidecar?.compiledCalls ?? [])].filter(site => site.name === name);
}

async function seenPlaces(
  seen: readonly {readonly file?: string; readonly line?: number}[],
  index: SourceIndex,
  paths: SourcePaths,
): Promise<Place[] | undefined> {
  const places: Place[] = [];
  const files = new Map<string, string | null>();
  for (const {file: recorded, line} of seen) {
    if (recorded === undefined || line === undefined) continue;
    const known = files.get(recorded);
    const file = known === undefined ? await paths.find(recorded, index) : known;
    if (file === undefined) return undefined;
    files.set(recorded, file);
    if (file !== null) places.push({file, line});
  }
  return places;
}
