import {isDeepStrictEqual} from 'node:util';
import * as vscode from 'vscode';
import {trendsOf} from '../../launch/history/run-trend.js';
import {showFailure, type Log} from '../base/log.js';
import type {RunHistory} from './run-history.js';
import {runRow, sweepRow, type RunItem, type SweepItem} from './run-rows.js';

type Item = RunItem | SweepItem;

/** "Runs" in the side bar: the recorded runs and sweeps of the workspace, the latest first. */
export class RunsView implements vscode.TreeDataProvider<Item>, vscode.Disposable {
  static readonly id = 'gpuLens.runs';
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #listener: vscode.Disposable;
  readonly #view: vscode.TreeView<Item>;
  #isAsked = false;
  /** The rows that are shown; null before they were read. */
  #items: Item[] | null = null;
  #updates = 0;

  constructor(
    private readonly history: Pick<RunHistory, 'runs' | 'sweeps' | 'onDidChange'>,
    private readonly log: Log,
  ) {
    this.#listener = history.onDidChange(() => void this.#update());
    this.#view = vscode.window.createTreeView(RunsView.id, {treeDataProvider: this, canSelectMany: true});
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
    this.#isAsked = true;
    if (this.#items) return this.#items;
    const items = await this.#read();
    // A change may have been read meanwhile.
    return (this.#items ??= items);
  }

  /**
   * Shows the rows anew if they differ. While VS Code asks for rows again it has none, and a command from a row's menu
   * would get no row: so they are read before it asks.
   */
  async #update(): Promise<void> {
    if (!this.#isAsked) return;
    const update = ++this.#updates;
    const items = await this.#read();
    if (update !== this.#updates || isDeepStrictEqual(items, this.#items)) return;
    this.#items = items;
    this.#changed.fire();
  }

  async #read(): Promise<Item[]> {
    try {
      const [runs, sweeps] = await Promise.all([this.history.runs(), this.history.sweeps()]);
      const trends = trendsOf(runs);
      const items: Item[] = [
        ...runs.map(run => ({run, trend: trends.get(run) ?? ''})),
        ...sweeps.map(sweep => ({sweep})),
      ];
      return items.sort((a, b) => (beganOf(a) < beganOf(b) ? 1 : beganOf(a) > beganOf(b) ? -1 : 0));
    } catch (error) {
      await showFailure(this.log, error);
      return [];
    }
  }
}

function beganOf(item: Item): string {
  return 'run' in item ? item.run.began : item.sweep.record.startedAt;
}
