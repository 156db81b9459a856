import {isDeepStrictEqual} from 'node:util';
import * as vscode from 'vscode';
import {trendsOf} from '../../launch/history/run-trend.js';
import {showFailure, type Log} from '../base/log.js';
import type {RunHistory} from './run-history.js';
import {runRow, sweepItem, sweepRow, type RunItem, type SweepItem} from './run-rows.js';

type Item = RunItem | SweepItem;

/** "Runs" in the side bar: the recorded runs and sweeps of the workspace, the latest first. */
export class RunsView implements vscode.TreeDataProvider<Item>, vscode.Disposable {
  static readonly id = 'gpuLens.runs';
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #listener: vscode.Disposable;
  readonly #view: vscode.TreeView<Item>;
  /** The rows as last read; null before the first reading. */
  #items: readonly Item[] | null = null;
  /** The rows that VS Code has; null before it asked for any. */
  #shown: readonly Item[] | null = null;
  /** Changes reported so far, counting the first reading as one; and how many of them `#items` includes. */
  #changes = 1;
  #changesRead = 0;
  #reading: Promise<void> | null = null;

  constructor(
    private readonly history: Pick<RunHistory, 'runs' | 'sweeps' | 'onDidChange'>,
    private readonly log: Log,
  ) {
    this.#view = vscode.window.createTreeView(RunsView.id, {treeDataProvider: this, canSelectMany: true});
    this.#listener = vscode.Disposable.from(
      history.onDidChange(() => {
        this.#changes++;
        // Reading disturbs what is being recorded, so a hidden view waits.
        if (this.#view.visible) void this.#update();
      }),
      this.#view.onDidChangeVisibility(({visible}) => {
        if (visible) void this.#update();
      }),
    );
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
    this.#view.dispose();
  }

  /** The selected rows, to which keyboard commands apply. */
  get selection(): readonly Item[] {
    return this.#view.selection;
  }

  getTreeItem(item: Item): vscode.TreeItem {
    return 'run' in item ? runRow(item) : sweepRow(item);
  }

  async getChildren(item?: Item): Promise<Item[]> {
    if (item) return [];
    if (!this.#items) await this.#update();
    this.#shown = this.#items ?? [];
    return [...this.#shown];
  }

  /**
   * Reads the rows if they may have changed, and has them drawn again if they differ. VS Code forgets all rows until
   * `getChildren` has answered, and a command of a row gets undefined meanwhile: so the rows are read first.
   */
  #update(): Promise<void> {
    if (this.#changesRead < this.#changes) this.#reading ??= this.#read();
    return this.#reading ?? Promise.resolve();
  }

  async #read(): Promise<void> {
    const changes = this.#changes;
    try {
      this.#items = await this.#itemsOf();
      this.#changesRead = changes;
      if (this.#shown && !isDeepStrictEqual(this.#items, this.#shown)) this.#changed.fire();
    } catch (error) {
      // Not awaited: it returns only when the user closes the message.
      void showFailure(this.log, error);
    } finally {
      this.#reading = null;
    }
    if (changes < this.#changes && this.#view.visible) void this.#update();
  }

  async #itemsOf(): Promise<Item[]> {
    const [runs, sweeps] = await Promise.all([this.history.runs(), this.history.sweeps()]);
    const trends = trendsOf(runs);
    const items: Item[] = [...runs.map(run => ({run, trend: trends.get(run) ?? ''})), ...sweeps.map(sweepItem)];
    return items.sort((a, b) => (beganOf(a) < beganOf(b) ? 1 : beganOf(a) > beganOf(b) ? -1 : 0));
  }
}

function beganOf(item: Item): string {
  return 'run' in item ? item.run.began : item.sweep.startedAt;
}
