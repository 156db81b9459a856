import * as vscode from 'vscode';
import {askText} from '../base/ask.js';
import {showFailure, type Log} from '../base/log.js';
import {plainText, showInformation} from '../base/messages.js';
import {rowCommand, type RowCommand} from '../base/row-command.js';
import type {KeptRun, RunHistory} from './run-history.js';
import {runTitle, type RunItem, type SweepItem} from './run-rows.js';

export interface RunActionServices {
  readonly history: RunHistory;
  readonly selection: () => readonly (RunItem | SweepItem)[];
  readonly openProfile: (path: string) => Promise<unknown>;
  /** Shows the profiles of ranks as one job. */
  readonly openJob: (paths: readonly string[]) => Promise<void>;
  /** Closes a profile and its tabs; does nothing if it is not open. */
  readonly closeProfile: (path: string) => Promise<void>;
  readonly showSweep: (folder: string) => Promise<unknown>;
  /** Compares profiles, the base first; asks for a base if only one is given. */
  readonly compare: (paths: readonly string[]) => Promise<void>;
  readonly log: Log;
}

const longestLabel = 200;

/** The actions on runs: from a row by mouse, or on the selected rows by keyboard. */
export class RunActions {
  constructor(private readonly services: RunActionServices) {}

  readonly open = this.#onRuns(async ([run]) => {
    const path = run?.profiles[0];
    if (path === undefined) return;
    await this.services.openProfile(path);
    if (run && run.ranks.length > 1) await this.services.openJob(run.ranks);
  });

  readonly openSweep = async (item?: SweepItem): Promise<void> => {
    if (item) await this.services.showSweep(item.sweep.folder);
  };

  /** Compares the selected runs with each other, the earliest as the base; asks for a base for a single run. */
  readonly compare = this.#onRuns(async runs => {
    const paths = [...runs].sort((a, b) => (a.began < b.began ? -1 : 1)).flatMap(({profiles}) => profiles.slice(0, 1));
    if (paths.length < runs.length) await showInformation(vscode.l10n.t('This run has no profile to compare.'));
    else await this.services.compare(paths);
  });

  readonly label = this.#onRuns(async ([run]) => {
    if (!run) return;
    const text = await askText({
      title: plainText(vscode.l10n.t('Label {0}', runTitle(run))),
      prompt: vscode.l10n.t('What this run is, such as "before the fix". Leave it empty to remove the label.'),
      value: run.label ?? '',
      validateInput: value =>
        value.length > longestLabel ? vscode.l10n.t('A label has {0} letters at most.', String(longestLabel)) : null,
    });
    if (text !== undefined) await this.services.history.mark(run, {label: text.trim() || null});
  });

  readonly pin = this.#onRuns(runs => this.#markAll(runs, true));
  readonly unpin = this.#onRuns(runs => this.#markAll(runs, false));

  /** Skips pinned runs, and asks first, because deletion cannot be undone. */
  readonly delete = this.#onRuns(async runs => {
    const loose = runs.filter(({isPinned}) => !isPinned);
    const [run] = loose;
    if (!run) {
      await showInformation(vscode.l10n.t('A pinned run is not deleted. Unpin it first.'));
      return;
    }
    const what =
      loose.length === 1
        ? vscode.l10n.t('the run {0} ({1})', runTitle(run), run.folder)
        : vscode.l10n.t('{0} runs', loose.length);
    const question = plainText(vscode.l10n.t('Delete {0} with all its profiles? This cannot be undone.', what));
    const remove = vscode.l10n.t('Delete');
    if ((await vscode.window.showWarningMessage(question, {modal: true}, remove)) !== remove) return;
    for (const one of loose) {
      // Closed first, because some systems cannot delete open files.
      for (const path of one.profiles) await this.services.closeProfile(path);
      await this.services.history.delete(one);
    }
  });

  readonly export = this.#onRuns(async runs => {
    const [target] =
      (await vscode.window.showOpenDialog({
        ...{title: vscode.l10n.t('Export Run'), openLabel: vscode.l10n.t('Export Here')},
        ...{canSelectFolders: true, canSelectFiles: false},
      })) ?? [];
    if (!target) return;
    const copies: string[] = [];
    for (const run of runs) copies.push(await this.services.history.exportTo(run, target.fsPath));
    await showInformation(vscode.l10n.t('Copied to {0}', copies.join(', ')));
  });

  async #markAll(runs: readonly KeptRun[], isPinned: boolean): Promise<void> {
    for (const run of runs) await this.services.history.mark(run, {isPinned});
  }

  #onRuns(act: (runs: readonly KeptRun[]) => Promise<void>): RowCommand<RunItem | SweepItem> {
    return rowCommand(async rows => {
      const chosen = rows.length > 0 ? rows : this.services.selection();
      const runs = chosen.flatMap(one => ('run' in one ? [one.run] : []));
      try {
        if (runs.length > 0) await act(runs);
        else await showInformation(vscode.l10n.t('No run is selected. Select one and try again.'));
      } catch (error) {
        await showFailure(this.services.log, error);
      }
    });
  }
}
