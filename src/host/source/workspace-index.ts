import {stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import * as vscode from 'vscode';
import {SourceIndex} from '../../core/source/source-index.js';
import type {SourceClient} from '../../engine/source-client.js';
import type {ReadFile} from '../../protocol/source-messages.js';
import type {Log} from '../base/log.js';

const sources = '**/*.{py,cu,cuh,cc,cpp,cxx,c,hh,hpp,hxx,h,inl,ipynb}';
const packages = '**/{node_modules,.venv,venv,site-packages,__pycache__,.git,.ipynb_checkpoints}/**';
const inPackages = /[\\/](node_modules|\.venv|venv|site-packages|__pycache__|\.git|\.ipynb_checkpoints)[\\/]/;
/** The most files read: a folder with more is not a single project. */
const mostFiles = 20_000;
/** Waits this long for further changes: a checkout changes many files at once. */
const settleMs = 200;

/**
 * The tags of the workspace's files: read in a worker on first use, then kept current by a file watcher.
 *
 * Files are named by their file system paths; virtual folders are not read.
 */
export class WorkspaceIndex implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when tags were added or changed. */
  readonly onDidChange = this.#changed.event;
  readonly #index = new SourceIndex();
  #reading: Promise<void> | null = null;
  #isRead = false;
  #last = Promise.resolve();
  #disposables: vscode.Disposable[] = [];
  readonly #changedPaths = new Set<string>();
  readonly #changedFolders = new Map<string, vscode.Uri>();
  #settling: ReturnType<typeof setTimeout> | undefined;
  readonly #closed = new AbortController();

  constructor(
    private readonly client: SourceClient,
    private readonly log: Log,
  ) {}

  /** The index so far; starts reading on first use. */
  get now(): SourceIndex {
    void this.whenRead();
    return this.#index;
  }

  /** Whether all files have been read once, so that missing entries do not exist. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Returns the index once all files are read. */
  async whenRead(): Promise<SourceIndex> {
    if (this.#disposables.length === 0) this.#watch();
    await (this.#reading ??= this.#readFound());
    return this.#index;
  }

  dispose(): void {
    this.#closed.abort();
    clearTimeout(this.#settling);
    for (const disposable of this.#disposables) disposable.dispose();
    this.#changed.dispose();
    void this.client.dispose();
  }

  async #readFound(): Promise<void> {
    let found: vscode.Uri[];
    try {
      found = await vscode.workspace.findFiles(sources, packages, mostFiles);
    } catch (error) {
      this.log.warn(`The source files of this workspace were not found: ${String(error)}`);
      // The next caller tries again.
      this.#reading = null;
      return;
    }
    if (found.length === mostFiles) {
      this.log.warn(`Only ${String(mostFiles)} source files of this workspace are searched for tags.`);
    }
    await this.#read(found.filter(({scheme}) => scheme === 'file').map(({fsPath}) => fsPath));
    this.#isRead = true;
    if (!this.#closed.signal.aborted) this.#changed.fire();
    this.log.debug(`${String(this.#index.files)} source files have ${String(this.#index.tags.length)} tags.`);
  }

  /** Reads after any current reading, so that later results are newer. */
  #read(paths: readonly string[]): Promise<void> {
    return (this.#last = this.#last.then(async () => {
      const {signal} = this.#closed;
      if (paths.length === 0 || signal.aborted) return;
      try {
        await this.client.read(paths, files => this.#take(files), signal);
      } catch (error) {
        this.log.warn(`Some sources were not read: ${String(error)}`);
      }
    }));
  }

  #take(files: readonly ReadFile[]): void {
    for (const {path, contents} of files) {
      if (contents) this.#index.set(path, contents);
      else this.#index.delete(path);
    }
    if (files.length > 0 && !this.#closed.signal.aborted) this.#changed.fire();
  }

  #watch(): void {
    const files = vscode.workspace.createFileSystemWatcher(sources);
    // A folder that is created or deleted is reported as a whole.
    const all = vscode.workspace.createFileSystemWatcher('**', false, true, false);
    const follow = (uri: vscode.Uri) => {
      if (uri.scheme === 'file' && !inPackages.test(uri.fsPath)) this.#follow([uri.fsPath]);
    };
    this.#disposables = [
      files,
      files.onDidCreate(follow),
      files.onDidChange(follow),
      files.onDidDelete(follow),
      all,
      all.onDidCreate(uri => {
        if (looksLikeFolder(uri) && !inPackages.test(uri.fsPath)) {
          this.#changedFolders.set(uri.fsPath, uri);
          this.#settle();
        }
      }),
      all.onDidDelete(({fsPath}) => {
        this.#follow(this.#index.filesBelow(fsPath));
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(({removed}) => {
        for (const {uri} of removed) for (const path of this.#index.filesBelow(uri.fsPath)) this.#index.delete(path);
        this.#isRead = false;
        this.#reading = this.#readFound();
      }),
    ];
  }

  /** Reads the sources in new folders; a folder inside another one is read with it. */
  async #readFolders(folders: ReadonlyMap<string, vscode.Uri>): Promise<void> {
    for (const [path, folder] of folders) {
      if (isBelowAny(path, folders)) continue;
      try {
        if (!(await stat(path)).isDirectory()) continue;
        const pattern = new vscode.RelativePattern(folder, sources);
        const found = await vscode.workspace.findFiles(pattern, packages, mostFiles);
        await this.#read(found.map(({fsPath}) => fsPath));
      } catch (error) {
        this.log.debug(`${path} is gone again: ${String(error)}`);
      }
    }
  }

  #follow(paths: readonly string[]): void {
    if (paths.length === 0) return;
    for (const path of paths) this.#changedPaths.add(path);
    this.#settle();
  }

  #settle(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      const changed = [...this.#changedPaths];
      const folders = new Map(this.#changedFolders);
      this.#changedPaths.clear();
      this.#changedFolders.clear();
      void this.#read(changed);
      void this.#readFolders(folders);
    }, settleMs);
  }
}

function isBelowAny(path: string, folders: ReadonlyMap<string, unknown>): boolean {
  for (let above = dirname(path), below = path; above !== below; [above, below] = [dirname(above), above]) {
    if (folders.has(above)) return true;
  }
  return false;
}

/** Watchers do not report the kind of a new entry, and checking every file of a build would take long. */
function looksLikeFolder({scheme, path}: vscode.Uri): boolean {
  return scheme === 'file' && !/\.[^/]+$/.test(path);
}
