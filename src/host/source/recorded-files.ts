import {existsSync} from 'node:fs';
import * as vscode from 'vscode';
import {recordedFileOf} from '../../core/source/recorded-file.js';
import type {Sidecar} from '../../core/source/sidecar.js';
import {getOrAdd} from '../../core/table/get-or-add.js';

type Recorded = Pick<Sidecar, 'sites' | 'files'>;

/** What was found of a sidecar is kept with it: it is asked for with every key that is typed. */
const known = new WeakMap<Recorded, Known>();

interface Known {
  /** Name of a file → the recorded paths that end with it: a sidecar may come from a stranger, and hold many. */
  readonly named: ReadonlyMap<string, ReadonlySet<string>>;
  /** Path here → recorded path. */
  readonly found: Map<string, string | null>;
}

/** The path that a sidecar has for a file of this workspace; null where it has none. */
export function recordedPathOf(uri: vscode.Uri, sidecar: Recorded | null): string | null {
  if (!sidecar) return null;
  let of = known.get(sidecar);
  if (!of) {
    const named = new Map<string, Set<string>>();
    for (const {file} of [...sidecar.sites, ...sidecar.files]) getOrAdd(named, nameOf(file), () => new Set()).add(file);
    known.set(sidecar, (of = {named, found: new Map()}));
  }
  const {named, found} = of;
  return getOrAdd(found, uri.path, () =>
    recordedFileOf(uri.path, named.get(nameOf(uri.path)) ?? [], file => placeInFolders(file)),
  );
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
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
