import * as vscode from 'vscode';
import {showFailure, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import {askForProfile} from '../query/ask-for-profile.js';
import {openQueryDocument, saveQueryDocument, statementToRun} from '../query/query-documents.js';
import type {QueryConnection} from '../query/query-connection.js';
import type {QueryRunner} from '../query/query-runner.js';
import type {Panel} from '../views/view-panel.js';

/**
 * "Query profile with SQL…": the queries that were written before; without a profile a way to open one.
 *
 * @param folder where the queries are kept
 */
export function queryProfileCommand(store: ProfileStore, log: Log, folder: vscode.Uri): () => Promise<void> {
  return async () => {
    try {
      if (store.activeOpen) await openQueryDocument(folder);
      else await askForProfile();
    } catch (error) {
      await showFailure(log, error);
    }
  };
}

/** "Run query": the statement of a CodeLens, else the one in the editor, on the active profile. */
export function runQueryCommand(
  store: ProfileStore,
  runner: QueryRunner,
  panel: Panel<QueryConnection>,
): (sql?: unknown) => Promise<void> {
  return async argument => {
    const editor = vscode.window.activeTextEditor;
    const sql = typeof argument === 'string' ? argument : editor && statementToRun(editor);
    if (typeof sql !== 'string') {
      void showInformation(vscode.l10n.t('There is no SQL to run here: put the cursor into a statement.'));
      return;
    }
    if (!store.activeOpen) {
      await askForProfile();
      return;
    }
    panel.show();
    await saveQueryDocument();
    await runner.run(store.activeOpen, sql);
  };
}
