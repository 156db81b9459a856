import {basename} from 'node:path/posix';
import * as vscode from 'vscode';
import {splitStatements, statementAt} from '../../sql/statement-text.js';
import {commandIds} from '../base/command-ids.js';
import type {ProfileStore} from '../profiles/profile-store.js';

/** A text that begins like this is one of our queries, wherever it is saved. */
const mark = '-- GPU Lens';
/** The file in which queries are kept, so that closing its editor asks nothing and the next profile finds them. */
const keptName = 'queries.gpu-lens.sql';
/** True while the cursor is in such a text: it gives Ctrl+Enter its meaning. */
const contextKey = 'gpuLens.isQueryEditor';

const firstText = `${mark}: SQL over the active profile. Ctrl+Enter runs the statement with the cursor in it.
-- Tables: kernels, gpu_operations, ranges, api_calls, operators, slices, tracks, threads, counters, instants, notes.

SELECT short_name, count(*) AS launched, sum(duration_ns) AS gpu_work_ns
FROM kernels
GROUP BY short_name
ORDER BY gpu_work_ns DESC;
`;

export function isQueryDocument(document: vscode.TextDocument): boolean {
  return isKept(document) || (document.languageId === 'sql' && document.lineAt(0).text.startsWith(mark));
}

const isKept = ({uri}: vscode.TextDocument): boolean => basename(uri.path) === keptName;

/** Opens the saved queries of a folder; if there are none, creates an example. */
export async function openQueryDocument(folder: vscode.Uri): Promise<void> {
  const uri = vscode.Uri.joinPath(folder, keptName);
  const kept = await vscode.workspace.fs.stat(uri).then(
    ({size}) => size > 0,
    () => false,
  );
  if (!kept) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(firstText));
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document, {preview: false});
  if (kept) return;
  const start = document.positionAt(firstText.indexOf('SELECT'));
  editor.selection = new vscode.Selection(start, start);
}

/** Saves the kept queries, if one of them was changed. */
export async function saveQueryDocument(): Promise<void> {
  await vscode.workspace.textDocuments.find(document => isKept(document) && document.isDirty)?.save();
}

/**
 * Returns the statement that "Run query" runs in an editor: the selection, else the statement at the cursor. Null
 * without any.
 */
export function statementToRun({document, selection}: vscode.TextEditor): string | null {
  if (!selection.isEmpty) return document.getText(selection);
  const text = document.getText();
  const place = statementAt(text, document.offsetAt(selection.active));
  return place && text.slice(place.start, place.end);
}

/** "Run query" above each statement of a query document, and the context key of its keybinding. */
export class QueryCodeLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #disposables: vscode.Disposable[];

  constructor(private readonly store: ProfileStore) {
    const update = (editor: vscode.TextEditor | undefined) => {
      const isQuery = editor !== undefined && isQueryDocument(editor.document);
      void vscode.commands.executeCommand('setContext', contextKey, isQuery);
    };
    this.#disposables = [
      store.onDidChange(() => {
        this.#changed.fire();
      }),
      vscode.window.onDidChangeActiveTextEditor(update),
      vscode.workspace.onDidChangeTextDocument(({document}) => {
        const editor = vscode.window.activeTextEditor;
        if (editor?.document === document) update(editor);
      }),
    ];
    update(vscode.window.activeTextEditor);
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!isQueryDocument(document)) return [];
    const text = document.getText();
    const {activeOpen} = this.store;
    return splitStatements(text).map(({start, end}) => {
      const range = new vscode.Range(document.positionAt(start), document.positionAt(start));
      return new vscode.CodeLens(
        range,
        activeOpen
          ? {
              title: vscode.l10n.t('$(play) Run on {0}', activeOpen.name),
              command: commandIds.runQuery,
              arguments: [text.slice(start, end)],
            }
          : {title: vscode.l10n.t('Open a profile to run this'), command: commandIds.openProfile},
      );
    });
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
    this.#changed.dispose();
  }
}
