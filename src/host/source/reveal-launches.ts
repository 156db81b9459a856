import * as vscode from 'vscode';
import {askOne} from '../base/ask.js';
import {counted, formatCount} from '../../core/format/count.js';
import {formatDuration} from '../../core/format/duration.js';
import {shortened} from '../../core/format/shortened.js';
import {displayName} from '../../core/names/slice-name.js';
import {mostLaunchSources, type LaunchSource} from '../../core/questions/launch-sources.js';
import {plainLabel} from '../base/messages.js';
import {launchPlaces, type LaunchPlace} from './launch-places.js';
import {placeText, showPlace} from './reveal-source.js';
import type {SourcePaths} from './source-paths.js';
import type {SeenLines} from './source-places.js';
import type {WorkspaceIndex} from './workspace-index.js';

/** GPU operations that lines launched. */
interface Launched {
  readonly name: string;
  /** The noun for one of them. */
  readonly noun: 'kernel' | 'operation';
}

/**
 * Opens the line that launched GPU operations; if there are several, the user picks one. Returns false if none is
 * found. If the user picks none, shows no message.
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
    const place = places.length === 1 ? places[0] : await pick(launched, places, sources.length === mostLaunchSources);
    if (place) await showPlace(place.name, place);
    return true;
  };
}

async function pick(
  {name, noun}: Launched,
  places: readonly LaunchPlace[],
  isCut: boolean,
): Promise<LaunchPlace | undefined> {
  const items = places.map(place => ({
    label: plainLabel(placeText(place)),
    description: plainLabel(descriptionOf(place, noun)),
    place,
  }));
  const cut = isCut
    ? ` ${vscode.l10n.t('Of more than {0} names those with the most work count.', formatCount(mostLaunchSources))}`
    : '';
  const placeHolder =
    vscode.l10n.t('{0} lines launched {1}. Which one?', places.length, shortened(displayName(name))) + cut;
  return (await askOne(items, {title: 'GPU Lens', placeHolder, matchOnDescription: true}))?.place;
}

function descriptionOf({name, names, gpuWorkNs, instances}: LaunchPlace, noun: Launched['noun']): string {
  const shown = shortened(displayName(name));
  const all = names > 1 ? counted(names - 1, '{1} and {0} other name', '{1} and {0} other names', shown) : shown;
  const count =
    noun === 'kernel'
      ? counted(instances, '{0} kernel', '{0} kernels')
      : counted(instances, '{0} operation', '{0} operations');
  return vscode.l10n.t('{0}: {1}', all, `${formatDuration(gpuWorkNs)}, ${count}`);
}
