import {join} from 'node:path';
import {readFile, writeFile} from 'node:fs/promises';
import * as vscode from 'vscode';
import {askOne, askText} from '../base/ask.js';
import {addDismissal} from '../../core/findings/add-dismissal.js';
import {projectFile} from '../../sql/read-dismissals.js';
import {showFailure, type Log} from '../base/log.js';
import {plainLabel, showInformation} from '../base/messages.js';
import {rowCommand, type RowCommand} from '../base/row-command.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import type {FindingsOf} from '../query/profile-findings.js';

export interface DismissOptions {
  readonly store: ProfileStore;
  readonly log: Log;
  readonly findingsOf: FindingsOf;
  /** The folder whose `.gpu-lens.json` is written; null if there is no trusted one. */
  readonly workspaceFolder: () => string | null;
}

/** A finding that is already known, from a row or a line. */
interface Dismissed {
  readonly finding: {readonly rule: string; readonly title: string};
}

/** "Dismiss Finding…": asks for a finding of the active profile and a reason, and writes both into `.gpu-lens.json`. */
export function dismissFindingCommand(options: DismissOptions): RowCommand<Dismissed> {
  const {store, log, findingsOf, workspaceFolder} = options;
  return rowCommand(async ([item]) => {
    const profile = store.activeOpen;
    const folder = workspaceFolder();
    if (!profile || folder === null) {
      await showInformation(
        profile
          ? vscode.l10n.t('A dismissal is kept in the workspace folder: open a folder, and trust it.')
          : vscode.l10n.t('No profile is open. Open one first, then dismiss a finding of it.'),
      );
      return;
    }
    try {
      const chosen = item?.finding ?? (await pickFinding(findingsOf, profile));
      if (!chosen) return;
      const reason = await askText({
        prompt: vscode.l10n.t('Why is {0} no problem?', plainLabel(chosen.rule)),
        validateInput: text =>
          text.trim() === '' ? vscode.l10n.t('Say why: whoever reads the file wants to know.') : undefined,
      });
      if (reason === undefined) return;
      const path = join(folder, projectFile);
      const text = await readFile(path, 'utf8').catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      });
      await writeFile(path, addDismissal(text, {rule: chosen.rule, reason: reason.trim()}));
      await showInformation(vscode.l10n.t('{0} is dismissed in {1}.', plainLabel(chosen.rule), projectFile));
    } catch (error) {
      await showFailure(log, error);
    }
  });
}

async function pickFinding(findingsOf: FindingsOf, profile: OpenProfile): Promise<{readonly rule: string} | undefined> {
  const {findings} = await findingsOf(profile, new AbortController().signal);
  const items = findings.map(({rule, title}) => ({label: plainLabel(rule), detail: plainLabel(title), rule}));
  return askOne(items, {placeHolder: vscode.l10n.t('Which finding is no problem for you?')});
}
