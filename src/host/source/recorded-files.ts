import {existsSync} from 'node:fs';
import {dirname, relative} from 'node:path';
import * as vscode from 'vscode';
import {likeness as likenessOf} from '../../core/source/line-likeness.js';
import {isMeant, isSameFile, likelyFile} from '../../core/source/recorded-file.js';
import type {Sidecar} from '../../core/source/sidecar.js';
import {getOrAdd} from '../../core/table/get-or-add.js';
import {usualOutputFolder} from '../../launch/run/run-folder.js';
import {lineChecksums} from '../../launch/run/checksums-of-file.js';
import {longestSource} from '../../source/tag-reader.js';
import {isCellDocument, NotebookCells} from './notebook-cells.js';
import {PathQuestions, type UnsurePaths} from './path-questions.js';
import type {SourcePaths} from './source-paths.js';
import type {WorkspaceIndex} from './workspace-index.js';

const none: UnsurePaths = new Map();
const nothing: Found = {recorded: null, unsure: none};

/** Something in a profile that names a file. */
export interface WithFile {
  readonly file?: string;
}

/** A profile, with its own path. */
export interface RecordedProfile {
  readonly path: string;
  readonly state: {readonly sidecar: Pick<Sidecar, 'sites' | 'files'> | null};
}

interface Known {
  /** The recorded paths that may mean a file, by file name: an untrusted sidecar may contain many. */
  readonly named: ReadonlyMap<string, ReadonlySet<string>>;
  /** Results by local path. */
  readonly found: Map<string, Found>;
}

interface Found {
  /** The recorded path that means the file. */
  readonly recorded: string | null;
  /** Recorded paths that may mean it or other files, with those files. */
  readonly unsure: UnsurePaths;
}

/**
 * Matches paths of a profile with files of this workspace. Certain matches come first: a path that the setting maps,
 * that is the file's own, that a workspace folder contains, or that the user chose. Else, the longest end that a path
 * shares with a single file decides, if half of the lines are those that ran or, without known lines, if a folder's
 * name matches too: see `isMeant`. If that is not enough, several files share the end, or several paths fit one file,
 * there is no match; the user is asked if that can help.
 */
export class RecordedFiles implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when paths may mean other files than before. */
  readonly onDidChange = this.#changed.event;
  /** Results are cached per list, because they are needed on every key press. */
  #known = new WeakMap<object, Known>();
  readonly #listsOf = new WeakMap<object, readonly WithFile[]>();
  readonly #cells = new NotebookCells();
  readonly #questions: PathQuestions;
  /** The version of the workspace's paths at the last search; null while they are being read. */
  #version: number | null = null;
  readonly #listeners: vscode.Disposable;

  constructor(
    private readonly workspace: Pick<WorkspaceIndex, 'now' | 'isRead' | 'onDidChange'>,
    private readonly paths: Pick<
      SourcePaths,
      'mapped' | 'mappedPlace' | 'fitting' | 'chosen' | 'ask' | 'onDidChange' | 'onDidForget'
    >,
  ) {
    this.#questions = new PathQuestions(paths);
    const forget = () => {
      this.#known = new WeakMap();
      this.#changed.fire();
    };
    this.#listeners = vscode.Disposable.from(
      paths.onDidChange(forget),
      paths.onDidForget(() => {
        this.#questions.forget();
      }),
      // Saving a file does not move it: paths are matched again only when files appear or disappear.
      workspace.onDidChange(() => {
        if (!workspace.isRead) return;
        const {version} = workspace.now.paths;
        if (version === this.#version) return;
        this.#version = version;
        forget();
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#version = null;
        forget();
      }),
      this.#cells,
    );
  }

  /** Returns the path in a profile's sidecar for a file of this workspace; null if there is none. */
  pathOf(uri: vscode.Uri, profile: RecordedProfile): string | null {
    const {sidecar} = profile.state;
    if (!sidecar) return null;
    const list = getOrAdd(this.#listsOf, sidecar, () => [...sidecar.sites, ...sidecar.files]);
    return this.pathIn(list, uri, profile);
  }

  /** Returns the path in one of a profile's lists for a file of this workspace; null if there is none. */
  pathIn(list: readonly WithFile[], uri: vscode.Uri, profile: RecordedProfile): string | null {
    if (isCellDocument(uri)) {
      const {sidecar} = profile.state;
      const cell = sidecar && this.#cells.nameOf(uri, sidecar.files);
      return cell !== null && list.some(({file}) => file === cell) ? cell : null;
    }
    const {named, found} = getOrAdd(this.#known, list, () => ({named: this.#byName(list), found: new Map()}));
    const of = getOrAdd(found, uri.path, () =>
      this.#find(uri, [...(named.get(lastPathPart(uri.path)) ?? [])], profile),
    );
    this.#questions.ask(uri, profile.path, of.unsure);
    return of.recorded;
  }

  dispose(): void {
    this.#listeners.dispose();
    this.#changed.dispose();
  }

  #byName(list: readonly WithFile[]): Map<string, Set<string>> {
    const named = new Map<string, Set<string>>();
    for (const file of new Set(list.map(one => one.file))) {
      if (file === undefined) continue;
      // If the setting leads to no file, the end of the path itself counts.
      for (const place of [file, this.paths.mappedPlace(file) ?? file]) {
        getOrAdd(named, lastPathPart(place), () => new Set()).add(file);
      }
    }
    return named;
  }

  #find(uri: vscode.Uri, recorded: readonly string[], profile: RecordedProfile): Found {
    const unplaced: string[] = [];
    for (const file of recorded) {
      const place = this.paths.mapped(file) ?? placeHere(file, uri.path, profile.path);
      if (place === null) unplaced.push(file);
      else if (isSameFile(uri.path, place)) return {recorded: file, unsure: none};
    }
    if (unplaced.length === 0) return nothing;
    const isOfWorkspace = uri.scheme === 'file' && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    if (isOfWorkspace) return this.#likely(uri, unplaced, profile);
    const beside = unplaced.filter(file => isBeside(file, uri.path, profile.path));
    return {recorded: likelyFile(uri.path, beside), unsure: none};
  }

  /** Returns, among paths without a certain match, the one that means a workspace file by its end. */
  #likely(uri: vscode.Uri, unplaced: readonly string[], profile: RecordedProfile): Found {
    const {now: index, isRead} = this.workspace;
    // Another file may fit as well: the result is updated once all files are known.
    if (!isRead) {
      this.#version = null;
      return nothing;
    }
    const unsure = new Map<string, readonly string[]>();
    const fitting = unplaced.filter(file => {
      const files = this.paths.fitting(file, index);
      if (files.length > 1 && files.includes(uri.fsPath)) unsure.set(file, files);
      return files.length === 0 ? isSameFile(uri.path, file) : files.length === 1 && files[0] === uri.fsPath;
    });
    const chosen = fitting.find(file => this.paths.chosen(file) === uri.fsPath);
    if (chosen !== undefined) return {recorded: chosen, unsure};
    const likeness = likenessTo(uri.fsPath, profile);
    const byMeaning = Map.groupBy(fitting, file => isMeant(uri.path, file, likeness(file)));
    const sure = byMeaning.get('yes');
    if (sure) return {recorded: likelyFile(uri.path, sure), unsure};
    // If several share only the file name, there is no way to tell: packages have files of the same name.
    const asked = likelyFile(uri.path, byMeaning.get('unsure') ?? []);
    if (asked !== null) unsure.set(asked, [uri.fsPath]);
    return {recorded: null, unsure};
  }
}

/** Returns how much of a file is the code that ran under a recorded path; null if unknown. Reads the file once. */
function likenessTo(path: string, {state: {sidecar}}: RecordedProfile): (recorded: string) => number | null {
  let lines: readonly number[] | null | undefined;
  return recorded => {
    const ran = sidecar?.files.find(({file}) => file === recorded)?.lineCrc32;
    if (!ran) return null;
    if (lines === undefined) lines = lineChecksums(path, longestSource);
    return lines && likenessOf(lines, ran);
  };
}

function lastPathPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

const isFromRoot = /^([\\/]|[a-zA-Z]:)/;

/**
 * Returns the local place of a recorded path that may mean the file at `path`. An absolute path means exactly itself; a
 * relative one is searched in the workspace's folders, the profile's first. Null if it leads nowhere.
 */
function placeHere(recorded: string, path: string, profile: string): string | null {
  // Only paths that can mean the file are looked up on the disk.
  if (!isSameFile(path, recorded)) return null;
  if (isFromRoot.test(recorded)) return path;
  const parts = recorded.split(/[\\/]/);
  // Sidecars may be untrusted: paths that leave a folder are not looked up.
  if (parts.includes('..')) return null;
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({uri}) => uri);
  const isAround = ({fsPath}: vscode.Uri) => !relative(fsPath, profile).startsWith('..');
  for (const uri of [...folders.filter(isAround), ...folders.filter(folder => !isAround(folder))]) {
    const place = vscode.Uri.joinPath(uri, ...parts);
    if (place.scheme === 'file' && existsSync(place.fsPath)) return place.path;
  }
  return null;
}

/** Returns whether a relative path leads to a file from the profile's folder, or from the one in which it was recorded. */
function isBeside(recorded: string, path: string, profile: string): boolean {
  const parts = recorded.split(/[\\/]/);
  if (isFromRoot.test(recorded) || parts.includes('..')) return false;
  const inOutput = profile.replaceAll('\\', '/').lastIndexOf(`/${usualOutputFolder}/`);
  const folders = [dirname(profile), ...(inOutput > 0 ? [profile.slice(0, inOutput)] : [])];
  return folders.some(folder => vscode.Uri.joinPath(vscode.Uri.file(folder), ...parts).path === path);
}
