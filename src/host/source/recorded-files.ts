import {existsSync} from 'node:fs';
import {relative} from 'node:path';
import {crc32} from 'node:zlib';
import * as vscode from 'vscode';
import {recordedCell} from '../../core/source/notebook-cell.js';
import {isSameFile, likelyFile} from '../../core/source/recorded-file.js';
import type {Sidecar} from '../../core/source/sidecar.js';
import {getOrAdd} from '../../core/table/get-or-add.js';
import {showInformation} from '../messages.js';
import {section} from '../settings.js';
import type {SourcePaths} from './source-paths.js';
import type {WorkspaceIndex} from './workspace-index.js';

const cellScheme = 'vscode-notebook-cell';
const none: ReadonlyMap<string, readonly string[]> = new Map();
const nothing: Found = {recorded: null, unsure: none};

/** Something in a profile that names a file. */
export interface WithFile {
  readonly file?: string;
}

/** A profile, with the path of its own. */
export interface RecordedProfile {
  readonly path: string;
  readonly state: {readonly sidecar: Pick<Sidecar, 'sites' | 'files'> | null};
}

interface Known {
  /** Name of a file → the recorded paths that may mean one: a sidecar may come from a stranger, and hold many. */
  readonly named: ReadonlyMap<string, ReadonlySet<string>>;
  /** By the path here. */
  readonly found: Map<string, Found>;
}

interface Found {
  /** The recorded path that means the file. */
  readonly recorded: string | null;
  /** Recorded paths that may mean it, or other files → those. */
  readonly unsure: ReadonlyMap<string, readonly string[]>;
}

/**
 * Which paths of a profile mean the files of this workspace. What is known counts first: a path that the setting maps,
 * that is the file's own, that a folder of the workspace has, or that was chosen. Else it is the longest end that a path
 * shares with a single file. Where several files share it, or several paths fit one file, none is meant, and the user is
 * asked.
 */
export class RecordedFiles implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Paths may mean other files than before. */
  readonly onDidChange = this.#changed.event;
  /** What was found of a list is kept with it: it is asked for with every key that is typed. */
  #known = new WeakMap<object, Known>();
  readonly #listsOf = new WeakMap<object, readonly WithFile[]>();
  readonly #cells = new WeakMap<object, Map<string, string | null>>();
  readonly #told = new Set<string>();
  readonly #listeners: vscode.Disposable;

  constructor(
    private readonly workspace: Pick<WorkspaceIndex, 'now' | 'isRead' | 'onDidChange'>,
    private readonly paths: Pick<SourcePaths, 'mapped' | 'fitting' | 'ask' | 'onDidChoose'>,
  ) {
    const forget = () => {
      this.#known = new WeakMap();
      this.#changed.fire();
    };
    this.#listeners = vscode.Disposable.from(
      paths.onDidChoose(forget),
      workspace.onDidChange(() => {
        if (workspace.isRead) forget();
      }),
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration(`${section}.sourcePathMap`)) forget();
      }),
    );
  }

  /** The path that a profile's sidecar has for a file of this workspace; null where it has none. */
  pathOf(uri: vscode.Uri, profile: RecordedProfile): string | null {
    const {sidecar} = profile.state;
    if (!sidecar) return null;
    const list = getOrAddTo(this.#listsOf, sidecar, () => [...sidecar.sites, ...sidecar.files]);
    return this.pathIn(list, uri, profile);
  }

  /** The path that one of a profile's lists has for a file of this workspace; null where it has none. */
  pathIn(list: readonly WithFile[], uri: vscode.Uri, profile: RecordedProfile): string | null {
    if (uri.scheme === cellScheme) {
      const cell = this.#cellOf(uri, profile);
      return cell !== null && list.some(({file}) => file === cell) ? cell : null;
    }
    const {named, found} = getOrAddTo(this.#known, list, () => ({named: this.#byName(list), found: new Map()}));
    const of = getOrAdd(found, uri.path, () => this.#find(uri, [...(named.get(nameOf(uri.path)) ?? [])], profile.path));
    for (const [recorded, files] of of.unsure) this.#tell(uri, recorded, files);
    return of.recorded;
  }

  dispose(): void {
    this.#listeners.dispose();
    this.#changed.dispose();
  }

  /** What a cell of a notebook was called when it ran. It stays that while its text is edited. */
  #cellOf(uri: vscode.Uri, {state: {sidecar}}: RecordedProfile): string | null {
    if (!sidecar) return null;
    const known = getOrAddTo(this.#cells, sidecar, () => new Map<string, string | null>());
    const key = `${uri.path}#${uri.fragment}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const document = vscode.workspace.textDocuments.find(
      candidate => candidate.uri.path === uri.path && candidate.uri.fragment === uri.fragment,
    );
    if (!document) return null;
    const lines = Array.from({length: document.lineCount}, (_, at) => crc32(document.lineAt(at).text));
    const cell = recordedCell(lines, sidecar.files);
    known.set(key, cell);
    return cell;
  }

  #byName(list: readonly WithFile[]): Map<string, Set<string>> {
    const named = new Map<string, Set<string>>();
    for (const file of new Set(list.map(one => one.file))) {
      if (file === undefined) continue;
      getOrAdd(named, nameOf(this.paths.mapped(file) ?? file), () => new Set()).add(file);
    }
    return named;
  }

  #find(uri: vscode.Uri, recorded: readonly string[], profile: string): Found {
    const unplaced: string[] = [];
    for (const file of recorded) {
      const place = this.paths.mapped(file) ?? placeHere(file, uri.path, profile);
      if (place === null) unplaced.push(file);
      else if (isSameFile(uri.path, place)) return {recorded: file, unsure: none};
    }
    return unplaced.length === 0 ? nothing : this.#likely(uri, unplaced);
  }

  /** Of paths of which nothing is known the one that means a file by its end. */
  #likely(uri: vscode.Uri, unplaced: readonly string[]): Found {
    const isOfWorkspace = uri.scheme === 'file' && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    if (!isOfWorkspace) {
      const ends = unplaced.filter(file => isSameFile(uri.path, file));
      return {recorded: likelyFile(uri.path, ends), unsure: none};
    }
    const {now: index, isRead} = this.workspace;
    // Another file may fit as well: it is told anew when all are known.
    if (!isRead) return nothing;
    const unsure = new Map<string, readonly string[]>();
    const fitting = unplaced.filter(file => {
      const files = this.paths.fitting(file, index);
      if (files.length > 1 && files.includes(uri.fsPath)) unsure.set(file, files);
      return files.length === 0 ? isSameFile(uri.path, file) : files.length === 1 && files[0] === uri.fsPath;
    });
    return {recorded: likelyFile(uri.path, fitting), unsure};
  }

  /** Asks once which file is meant, where one of them is in sight. */
  #tell(uri: vscode.Uri, recorded: string, files: readonly string[]): void {
    const isInSight = vscode.window.visibleTextEditors.some(({document}) => document.uri.path === uri.path);
    if (!isInSight || this.#told.has(recorded)) return;
    this.#told.add(recorded);
    const text = `"${recorded}" of the profile may be any of ${String(files.length)} files of this workspace: its figures stand on none of them until you choose one.`;
    void showInformation(text, 'Choose File').then(button => button && this.paths.ask(recorded, files));
  }
}

function getOrAddTo<T>(map: WeakMap<object, T>, key: object, make: () => T): T {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

const isFromRoot = /^([\\/]|[a-zA-Z]:)/;

/**
 * Where a recorded path that may mean the file at `path` lies here: one from the root at this very place, a relative one
 * in a folder of the workspace, in that of the profile before others; null for one that leads nowhere.
 */
function placeHere(recorded: string, path: string, profile: string): string | null {
  // The disk is asked of those alone that can mean the file.
  if (!isSameFile(path, recorded)) return null;
  if (isFromRoot.test(recorded)) return path;
  const parts = recorded.split(/[\\/]/);
  // Sidecars may come from strangers: what leads out of a folder is not asked about.
  if (parts.includes('..')) return null;
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({uri}) => uri);
  const isAround = ({fsPath}: vscode.Uri) => !relative(fsPath, profile).startsWith('..');
  for (const uri of [...folders.filter(isAround), ...folders.filter(folder => !isAround(folder))]) {
    const place = vscode.Uri.joinPath(uri, ...parts);
    if (place.scheme === 'file' && existsSync(place.fsPath)) return place.path;
  }
  return null;
}
