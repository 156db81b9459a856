import {cp} from 'node:fs/promises';
import {basename, join} from 'node:path';
import * as vscode from 'vscode';
import {TraceError} from '../../core/base/errors.js';
import {keptSweeps, resultsFile, sweepsFolder, type KeptSweep} from '../../launch/benchmark/sweep-files.js';
import type {RunFacts} from '../../launch/history/run-facts.js';
import type {RunIndex} from '../../launch/history/run-index.js';
import type {RunMark} from '../../launch/history/run-mark.js';
import {goesOn} from '../../launch/history/running-run.js';
import {usualOutputFolder} from '../../launch/run/run-folder.js';
import {isFolder} from '../base/is-folder.js';
import {outputFolders} from '../base/output-folders.js';
import {RestTimer} from '../base/rest-timer.js';

/** A recorded run and its output folder. */
export type KeptRun = RunFacts & {readonly output: string; readonly isRunning: boolean};

/** A run writes several files as it ends, and a sweep writes line after line. */
const restMs = 500;
const watched = [
  'runs/*',
  'runs/*/{run,mark}.json',
  'runs/*/*.meta.json',
  `${sweepsFolder}/*`,
  `${sweepsFolder}/*/${resultsFile}`,
];

/** The recorded runs and sweeps of the workspace's folders, read from their output folders on demand. */
export class RunHistory implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #listeners: vscode.Disposable[];
  #watchers: vscode.Disposable[] = [];
  readonly #rest = new RestTimer(restMs);

  constructor() {
    const anew = () => {
      this.#watch();
      this.#soon();
    };
    this.#listeners = [
      vscode.workspace.onDidChangeWorkspaceFolders(anew),
      vscode.workspace.onDidGrantWorkspaceTrust(anew),
      vscode.workspace.onDidChangeConfiguration(change => {
        if (change.affectsConfiguration('gpuLens.run.outputFolder')) anew();
      }),
    ];
    this.#watch();
  }

  dispose(): void {
    this.#rest.dispose();
    for (const one of [...this.#listeners, ...this.#watchers, this.#changed]) one.dispose();
  }

  /** Returns all runs of the workspace, the latest first. @throws TraceError `file/unwritable` */
  async runs(): Promise<KeptRun[]> {
    const all = await Promise.all(
      outputFolders().map(async output => {
        // Does not create an index if nothing was recorded.
        if (!(await isFolder(join(output, 'runs')))) return [];
        const runs = await withIndex(output, index => index.list());
        return Promise.all(runs.map(async run => ({...run, output, isRunning: await goesOn(run)})));
      }),
    );
    return all.flat().sort((a, b) => (a.began < b.began ? 1 : a.began > b.began ? -1 : 0));
  }

  /** Returns all sweeps of the workspace, which are in the default folder. */
  async sweeps(): Promise<KeptSweep[]> {
    const folder = trustedFolders()[0];
    return folder ? keptSweeps(join(folder.uri.fsPath, usualOutputFolder)) : [];
  }

  /** Labels or pins a run. @throws TraceError `file/missing` */
  async mark({output, folder}: KeptRun, change: Partial<RunMark>): Promise<void> {
    await withIndex(output, index => index.mark(folder, change));
    this.#changed.fire();
  }

  /** Deletes a run with its profiles. @throws TraceError `file/missing`, or `file/locked` if it is pinned */
  async delete({output, folder}: KeptRun): Promise<void> {
    await withIndex(output, index => index.delete(folder));
    this.#changed.fire();
  }

  /**
   * Copies a run's folder into another folder, without overwriting anything.
   *
   * @returns the copy's path. @throws TraceError `file/unwritable`
   */
  async exportTo({output, folder}: KeptRun, target: string): Promise<string> {
    const copy = join(target, basename(folder));
    // Copying into an existing folder would mix two runs.
    if (await isFolder(copy))
      throw new TraceError('file/unwritable', vscode.l10n.t('The run was not exported: {0} is there already.', copy));
    try {
      await cp(join(output, 'runs', folder), copy, {recursive: true, force: false, errorOnExist: true});
    } catch (error) {
      throw new TraceError('file/unwritable', vscode.l10n.t('The run could not be copied to {0}.', copy), {
        cause: error,
      });
    }
    return copy;
  }

  /** Makes listeners read the history again. */
  refresh(): void {
    this.#changed.fire();
  }

  #soon(): void {
    this.#rest.whenStill(() => {
      this.#changed.fire();
    });
  }

  #watch(): void {
    for (const watcher of this.#watchers) watcher.dispose();
    const soon = () => {
      this.#soon();
    };
    this.#watchers = outputFolders().flatMap(output =>
      watched.flatMap(pattern => {
        const watcher = vscode.workspace.createFileSystemWatcher(
          new vscode.RelativePattern(vscode.Uri.file(output), pattern),
        );
        return [watcher, watcher.onDidCreate(soon), watcher.onDidChange(soon), watcher.onDidDelete(soon)];
      }),
    );
  }
}

/** The index is a native module, loaded when the first list is needed. */
async function withIndex<Result>(output: string, use: (index: RunIndex) => Promise<Result>): Promise<Result> {
  const {RunIndex: Index} = await import('../../launch/history/run-index.js');
  const index = new Index(output);
  try {
    return await use(index);
  } finally {
    index.close();
  }
}

/** An untrusted folder could contain any database, which is not opened. */
function trustedFolders(): readonly vscode.WorkspaceFolder[] {
  return vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
}
