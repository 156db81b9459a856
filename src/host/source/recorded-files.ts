import {existsSync} from 'node:fs';
import * as vscode from 'vscode';
import {recordedFileOf} from '../../core/source/recorded-file.js';
import type {Sidecar} from '../../core/source/sidecar.js';
import {getOrAdd} from '../../core/table/get-or-add.js';

type Recorded = Pick<Sidecar, 'sites' | 'files'>;

/** What was found of a sidecar is kept with it: it is asked for with every key that is typed. */
const known = new WeakMap<Recorded, Known>();

interface Known {
  /** Recorded path → where it lies here. */
  readonly places: ReadonlyMap<string, string | null>;
  /** Path here → recorded path. */
  readonly found: Map<string, string | null>;
}

/** The path that a sidecar has for a file of this workspace; null where it has none. */
export function recordedPathOf(uri: vscode.Uri, sidecar: Recorded | null): string | null {
  if (!sidecar) return null;
  let of = known.get(sidecar);
  if (!of) {
    const files = new Set([...sidecar.sites, ...sidecar.files].map(({file}) => file));
    const places = new Map([...files].map(file => [file, placeInFolders(file)]));
    known.set(sidecar, (of = {places, found: new Map()}));
  }
  const {places, found} = of;
  return getOrAdd(found, uri.path, () => recordedFileOf(uri.path, places.keys(), file => places.get(file) ?? null));
}

/** Where a relative path lies in the folders of the workspace. */
function placeInFolders(recorded: string): string | null {
  const parts = recorded.split(/[\\/]/);
  // Sidecars may come from strangers: what leads out of a folder is not asked about.
  if (/^([\\/]|[a-zA-Z]:)/.test(recorded) || parts.includes('..')) return null;
  for (const {uri} of vscode.workspace.workspaceFolders ?? []) {
    const place = vscode.Uri.joinPath(uri, ...parts);
    if (place.scheme === 'file' && existsSync(place.fsPath)) return place.path;
  }
  return null;
}
