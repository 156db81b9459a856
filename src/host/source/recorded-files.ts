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
  readonly unsure: UnsurePaths;
}

/**
 * Which paths of a profile mean the files of this workspace. What is known counts first: a path that the setting maps,
 * that is the file's own, that a folder of the workspace has, or that was chosen. Else it is the longest end that a path
 * shares with a single file, where half of the lines are those that ran, or where no lines are known and a folder has the
 * same name, too: see `isMeant`. Where that tells too little, several files share the end, or several paths fit one file,
 * none is meant; the user is asked where that can help.
 */
export class RecordedFiles implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Paths may mean other files than before. */
  readonly onDidChange = this.#changed.event;
  /** What was found of a list is kept with it: it is asked for with every key that is typed. */
  #known = new WeakMap<object, Known>();
  readonly #listsOf = new WeakMap<object, readonly WithFile[]>();
  readonly #cells = new NotebookCells();
  readonly #questions: PathQuestions;
  /** The paths of the workspace's files when something was looked for among them; null while they are being read. */
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
      // A file that is saved stays where it is: what its path means is asked anew where files come or go.
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

  /** The path that a profile's sidecar has for a file of this workspace; null where it has none. */
  pathOf(uri: vscode.Uri, profile: RecordedProfile): string | null {
    const {sidecar} = profile.state;
    if (!sidecar) return null;
    const list = getOrAdd(this.#listsOf, sidecar, () => [...sidecar.sites, ...sidecar.files]);
    return this.pathIn(list, uri, profile);
  }

  /** The path that one of a profile's lists has for a file of this workspace; null where it has none. */
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
      // Where the setting leads to no file, its own end counts.
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

  /** Of paths of which nothing is known the one that means a file of the workspace by its end. */
  #likely(uri: vscode.Uri, unplaced: readonly string[], profile: RecordedProfile): Found {
    const {now: index, isRead} = this.workspace;
    // Another file may fit as well: it is told anew when all are known.
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
    // Of several that share but the name nobody knows which: packages have files of the same names.
    const asked = likelyFile(uri.path, byMeaning.get('unsure') ?? []);
    if (asked !== null) unsure.set(asked, [uri.fsPath]);
    return {recorded: null, unsure};
  }
}

/** How much of a file is what ran under a recorded path; null where that is not known. Reads the file once. */
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

/** Whether a relative path leads to a file from the folder of the profile, or from the one in which it was recorded. */
function isBeside(recorded: string, path: string, profile: string): boolean {
  const parts = recorded.split(/[\\/]/);
  if (isFromRoot.test(recorded) || parts.includes('..')) return false;
  const inOutput = profile.replaceAll('\\', '/').lastIndexOf(`/${usualOutputFolder}/`);
  const folders = [dirname(profile), ...(inOutput > 0 ? [profile.slice(0, inOutput)] : [])];
  return folders.some(folder => vscode.Uri.joinPath(vscode.Uri.file(folder), ...parts).path === path);
}
