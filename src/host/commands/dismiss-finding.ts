import {join} from 'node:path';
import {readFile, writeFile} from 'node:fs/promises';
import * as vscode from 'vscode';
import {addDismissal} from '../../core/findings/add-dismissal.js';
import {projectFile} from '../../sql/read-dismissals.js';
import {showFailure, type Log} from '../base/log.js';
import {plainLabel, showInformation} from '../base/messages.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import type {FindingsOf} from '../query/profile-findings.js';

export interface DismissOptions {
  readonly store: ProfileStore;
  readonly log: Log;
  readonly findingsOf: FindingsOf;
  /** The folder whose `.gpu-lens.json` is written; null where there is none to trust. */
  readonly workspaceFolder: () => string | null;
}

/** "Dismiss Finding…": asks which finding of the active profile, and why, and writes both into `.gpu-lens.json`. */
export function dismissFindingCommand({store, log, findingsOf, workspaceFolder}: DismissOptions): () => Promise<void> {
  return async () => {
    const profile = store.activeOpen;
    const folder = workspaceFolder();
    if (!profile || folder === null) {
      await showInformation(
        profile
          ? 'A dismissal is kept in the workspace folder: open a folder, and trust it.'
          : 'No profile is open. Open one first, then dismiss a finding of it.',
      );
      return;
    }
    try {
      const {findings} = await findingsOf(profile, new AbortController().signal);
      const items = findings.map(({rule, title}) => ({label: plainLabel(rule), detail: plainLabel(title), rule}));
      const chosen = await vscode.window.showQuickPick(items, {placeHolder: 'Which finding is no problem for you?'});
      if (!chosen) return;
      const reason = await vscode.window.showInputBox({
        prompt: `Why is ${plainLabel(chosen.rule)} no problem?`,
        validateInput: text => (text.trim() === '' ? 'Say why: whoever reads the file wants to know.' : undefined),
      });
      if (reason === undefined) return;
      const path = join(folder, projectFile);
      const text = await readFile(path, 'utf8').catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      });
      await writeFile(path, addDismissal(text, {rule: chosen.rule, reason: reason.trim()}));
      await showInformation(
        `${plainLabel(chosen.rule)} is dismissed in ${projectFile}. Show the findings again to see the others.`,
      );
    } catch (error) {
      await showFailure(log, error);
    }
  };
}
