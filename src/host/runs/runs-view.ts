import * as vscode from 'vscode';
import {trendsOf} from '../../launch/history/run-trend.js';
import {showFailure, type Log} from '../base/log.js';
import type {RunHistory} from './run-history.js';
import {runRow, sweepRow, type RunItem, type SweepItem} from './run-rows.js';

type Item = RunItem | SweepItem;

/** "Runs" in the side bar: the recorded runs and sweeps of the workspace, the latest first. */
export class RunsView implements vscode.TreeDataProvider<Item>, vscode.Disposable {
  static readonly id = 'gpuLens.runs';
  readonly onDidChangeTreeData: vscode.Event<void>;
  readonly #view: vscode.TreeView<Item>;

  constructor(
    private readonly history: Pick<RunHistory, 'runs' | 'sweeps' | 'onDidChange'>,
    private readonly log: Log,
  ) {
    this.onDidChangeTreeData = history.onDidChange;
    this.#view = vscode.window.createTreeView(RunsView.id, {treeDataProvider: this, canSelectMany: true});
  }

  dispose(): void {
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
