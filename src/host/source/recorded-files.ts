import {existsSync} from 'node:fs';
import {relative} from 'node:path';
import * as vscode from 'vscode';
import {recordedFileOf} from '../../core/source/recorded-file.js';
import type {Sidecar} from '../../core/source/sidecar.js';
import {getOrAdd} from '../../core/table/get-or-add.js';

/** What names the files of a profile. */
export type Recorded = {readonly [List in 'sites' | 'files']: readonly Pick<Sidecar[List][number], 'file'>[]};

/** A profile, with the path of its own. */
export interface RecordedProfile {
  readonly path: string;
  readonly state: {readonly sidecar: Recorded | null};
}

/** What was found of a sidecar is kept with it: it is asked for with every key that is typed. */
const known = new WeakMap<Recorded, Known>();

interface Known {
  /** Name of a file → the recorded paths that end with it: a sidecar may come from a stranger, and hold many. */
  readonly named: ReadonlyMap<string, ReadonlySet<string>>;
  /** Path here → recorded path. */
  readonly found: Map<string, string | null>;
}

/** The path that a profile's sidecar has for a file of this workspace; null where it has none. */
export function recordedPathOf(uri: vscode.Uri, {path, state: {sidecar}}: RecordedProfile): string | null {
  if (!sidecar) return null;
  let of = known.get(sidecar);
  if (!of) {
    const named = new Map<string, Set<string>>();
    for (const {file} of [...sidecar.sites, ...sidecar.files]) getOrAdd(named, nameOf(file), () => new Set()).add(file);
    known.set(sidecar, (of = {named, found: new Map()}));
  }
  const {named, found} = of;
  return getOrAdd(found, uri.path, () =>
    recordedFileOf(uri.path, named.get(nameOf(uri.path)) ?? [], file => placeInFolders(file, path)),
  );
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Where a relative path lies in the folders of the workspace: in that of the profile before others. */
function placeInFolders(recorded: string, profile: string): string | null {
  const parts = recorded.split(/[\\/]/);
  // Sidecars may come from strangers: what leads out of a folder is not asked about.
  if (/^([\\/]|[a-zA-Z]:)/.test(recorded) || parts.includes('..')) return null;
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({uri}) => uri);
  const isAround = ({fsPath}: vscode.Uri) => !relative(fsPath, profile).startsWith('..');
  for (const uri of [...folders.filter(isAround), ...folders.filter(folder => !isAround(folder))]) {
    const place = vscode.Uri.joinPath(uri, ...parts);
    if (place.scheme === 'file' && existsSync(place.fsPath)) return place.path;
  }
  return null;
}
