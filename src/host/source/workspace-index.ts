import * as vscode from 'vscode';
import {SourceIndex} from '../../core/source/source-index.js';
import type {SourceClient} from '../../engine/source-client.js';
import type {ReadFile} from '../../protocol/source-messages.js';
import type {Log} from '../log.js';

const sources = '**/*.{py,cu,cuh,cc,cpp,cxx,c,hh,hpp,hxx,h,inl}';
const packages = '**/{node_modules,.venv,venv,site-packages,__pycache__,.git}/**';
const inPackages = /[\\/](node_modules|\.venv|venv|site-packages|__pycache__|\.git)[\\/]/;
/** More are not read: what has so many is no project, but a folder of them. */
const mostFiles = 20_000;
/** Changes are waited for that long: a checkout changes many files at once. */
const settleMs = 200;

/**
 * The tags of the workspace's files: read in a worker once somebody asks, then followed by a file watcher.
 *
 * Files are named by their paths in the file system; those of other kinds of folders are not read.
 */
export class WorkspaceIndex implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** More or other tags are known. */
  readonly onDidChange = this.#changed.event;
  readonly #index = new SourceIndex();
  #reading: Promise<void> | null = null;
  #last = Promise.resolve();
  #disposables: vscode.Disposable[] = [];
  readonly #changedPaths = new Set<string>();
  #settling: ReturnType<typeof setTimeout> | undefined;
  readonly #closed = new AbortController();

  constructor(
    private readonly client: SourceClient,
    private readonly log: Log,
  ) {}

  /** What is known so far; begins to read where nothing is. */
  get now(): SourceIndex {
    void this.whenRead();
    return this.#index;
  }

  /** The index once all files are read. */
  async whenRead(): Promise<SourceIndex> {
    await (this.#reading ??= this.#readAll());
    return this.#index;
  }

  dispose(): void {
    this.#closed.abort();
    clearTimeout(this.#settling);
    for (const disposable of this.#disposables) disposable.dispose();
    this.#changed.dispose();
    void this.client.dispose();
  }

  async #readAll(): Promise<void> {
    this.#watch();
    await this.#readFound();
  }

  async #readFound(): Promise<void> {
    const found = await vscode.workspace.findFiles(sources, packages, mostFiles);
    if (found.length === mostFiles) {
      this.log.warn(`Only ${String(mostFiles)} source files of this workspace are searched for tags.`);
    }
    await this.#read(found.filter(({scheme}) => scheme === 'file').map(({fsPath}) => fsPath));
    this.log.debug(`${String(this.#index.files)} source files have ${String(this.#index.tags.length)} tags.`);
  }

  /** Reads after whatever is being read: what is read later is newer. */
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
    // A folder that comes or goes is told of as a whole.
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
        if (looksLikeFolder(uri) && !inPackages.test(uri.fsPath)) void this.#followFolder(uri);
      }),
      all.onDidDelete(({fsPath}) => {
        this.#follow(this.#index.filesBelow(fsPath));
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(({removed}) => {
        for (const {uri} of removed) for (const path of this.#index.filesBelow(uri.fsPath)) this.#index.delete(path);
        this.#reading = this.#readFound();
      }),
    ];
  }

  async #followFolder(folder: vscode.Uri): Promise<void> {
    const found = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, sources), packages, mostFiles);
    this.#follow(found.map(({fsPath}) => fsPath));
  }

  #follow(paths: readonly string[]): void {
    if (paths.length === 0) return;
    for (const path of paths) this.#changedPaths.add(path);
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      const changed = [...this.#changedPaths];
      this.#changedPaths.clear();
      void this.#read(changed);
    }, settleMs);
  }
}

/** Watchers do not say what was created, and asking about each file of a build would take long. */
function looksLikeFolder({scheme, path}: vscode.Uri): boolean {
  return scheme === 'file' && !/\.[^/]+$/.test(path);
}
