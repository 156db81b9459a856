import * as vscode from 'vscode';
import {plural} from '../../core/format/count.js';
import {formatDuration} from '../../core/format/duration.js';
import {displayName} from '../../core/format/slice-name.js';
import type {LaunchSource} from '../../core/queries/launch-sources.js';
import {launchPlaces, type LaunchPlace} from './launch-places.js';
import {placeText, showPlace} from './reveal-source.js';
import type {SourcePaths} from './source-paths.js';
import type {SeenLines} from './source-places.js';
import type {WorkspaceIndex} from './workspace-index.js';

/** GPU operations that lines launched. */
interface Launched {
  readonly name: string;
  /** What one of them is. */
  readonly noun: 'kernel' | 'operation';
}

/**
 * Opens the line that launched GPU operations; of several the one that the user picks. False where none is found; a user who
 * picks none is told nothing.
 */
export type RevealLaunches = (
  launched: Launched,
  sources: readonly LaunchSource[],
  seen: SeenLines | null,
) => Promise<boolean>;

export function createRevealLaunches(workspace: WorkspaceIndex, paths: SourcePaths): RevealLaunches {
  return async (launched, sources, seen) => {
    const places = await launchPlaces(sources, seen, await workspace.whenRead(), paths);
    if (!places) return true;
    if (places.length === 0) return false;
    const place = places.length === 1 ? places[0] : await pick(launched, places);
    if (place) await showPlace(place.name, place);
    return true;
  };
}

async function pick({name, noun}: Launched, places: readonly LaunchPlace[]): Promise<LaunchPlace | undefined> {
  const items = places.map(place => ({
    label: placeText(place),
    description: `${displayName(place.name)}: ${formatDuration(place.gpuWorkNs)}, ${plural(place.instances, noun)}`,
    place,
  }));
  const placeHolder = `${String(places.length)} lines launched ${displayName(name)}. Which one?`;
  return (await vscode.window.showQuickPick(items, {title: 'GPU Lens', placeHolder, matchOnDescription: true}))?.place;
}
