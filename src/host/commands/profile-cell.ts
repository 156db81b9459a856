import * as vscode from 'vscode';
import {TraceError} from '../../core/base/errors.js';
import {setUpCode} from '../../launch/run/cell-recording.js';
import {showWithLog, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';

const magic = '%%gpulens';

/** "Profile Cell": runs a cell of a notebook with `%%gpulens`, in the notebook's own kernel. */
export function profileCellCommand(extensionUri: vscode.Uri, log: Log): (cell?: vscode.NotebookCell) => Promise<void> {
  const runner = vscode.Uri.joinPath(extensionUri, 'src', 'runner').fsPath;
  return async asked => {
    const cell = asked ?? selectedCell();
    if (!cell || !isPythonCode(cell)) {
      void showInformation(vscode.l10n.t('Select a Python cell of a notebook, then run “Profile Cell” again.'));
      return;
    }
    try {
      await vscode.window.withProgress(
        {location: vscode.ProgressLocation.Notification, cancellable: true, title: vscode.l10n.t('Profiling the cell')},
        (_, token) => profileCell(cell, runner, token),
      );
    } catch (error) {
      log.error(String(error));
      void showWithLog(log, error instanceof Error ? error.message : String(error));
    }
  };
}

async function profileCell(cell: vscode.NotebookCell, runner: string, token: vscode.CancellationToken): Promise<void> {
  if (!(await loadMagic(cell, runner, token)) || token.isCancellationRequested) return;
  const hasMagic = /^\s*%%/.test(cell.document.getText());
  if (hasMagic && !cell.document.getText().trimStart().startsWith(magic)) {
    throw new TraceError(
      'launch/not-started',
      vscode.l10n.t('The cell begins with another magic; remove it to profile the cell.'),
    );
  }
  if (!hasMagic) await editCell(cell, edit => edit.insert(cell.document.uri, new vscode.Position(0, 0), `${magic}\n`));
  try {
    await execute(cell, token);
  } finally {
    if (!hasMagic) await removeMagic(cell);
  }
}

/** Removes the magic's line, wherever it is now; other edits of the user stay. */
async function removeMagic(cell: vscode.NotebookCell): Promise<void> {
  const {document} = cell;
  for (let line = 0; line < document.lineCount; line++) {
    if (document.lineAt(line).text !== magic) continue;
    await editCell(cell, edit => edit.delete(document.uri, new vscode.Range(line, 0, line + 1, 0)));
    return;
  }
}

async function editCell(cell: vscode.NotebookCell, change: (edit: vscode.WorkspaceEdit) => void): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  change(edit);
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new TraceError(
      'launch/not-started',
      vscode.l10n.t('{0} cannot be edited.', cell.notebook.uri.path.split('/').at(-1) ?? ''),
    );
  }
}

/** Registers the magic in the kernel with a temporary cell. Resolves with whether that succeeded. */
async function loadMagic(cell: vscode.NotebookCell, runner: string, token: vscode.CancellationToken): Promise<boolean> {
  const {notebook} = cell;
  const at = notebook.cellCount;
  const data = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, setUpCode(runner), 'python');
  await editCell(cell, edit => edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(at, [data])]));
  const added = notebook.cellAt(at);
  try {
    const isLoaded = await execute(added, token);
    if (!isLoaded && !token.isCancellationRequested) {
      throw new TraceError(
        'launch/not-started',
        vscode.l10n.t('The recorder could not be loaded: the kernel needs IPython and PyTorch.'),
      );
    }
    return isLoaded;
  } finally {
    const index = notebook.getCells().indexOf(added);
    const range = new vscode.NotebookRange(index, index + 1);
    if (index >= 0) await editCell(cell, edit => edit.set(notebook.uri, [vscode.NotebookEdit.deleteCells(range)]));
  }
}

/** Runs a cell in its kernel; the editor asks for a kernel if none is selected. Resolves with whether it succeeded. */
async function execute(cell: vscode.NotebookCell, token: vscode.CancellationToken): Promise<boolean> {
  const {notebook, index} = cell;
  const before = cell.executionSummary;
  const ended = new Promise<boolean>(resolve => {
    const stop = (isSuccess: boolean) => {
      for (const one of disposables) one.dispose();
      resolve(isSuccess);
    };
    const disposables = [
      vscode.workspace.onDidChangeNotebookDocument(change => {
        if (change.notebook !== notebook) return;
        const summary = change.cellChanges.find(one => one.cell === cell)?.executionSummary;
        if (summary?.success !== undefined && summary !== before) stop(summary.success);
      }),
      token.onCancellationRequested(() => {
        stop(false);
      }),
    ];
  });
  const ranges = [{start: index, end: index + 1}];
  await vscode.commands.executeCommand('notebook.cell.execute', {ranges, document: notebook.uri});
  const isSuccess = await ended;
  if (token.isCancellationRequested) {
    await vscode.commands.executeCommand('notebook.cell.cancelExecution', {ranges, document: notebook.uri});
  }
  return isSuccess;
}

function selectedCell(): vscode.NotebookCell | undefined {
  const editor = vscode.window.activeNotebookEditor;
  return editor?.notebook.cellAt(editor.selection.start);
}

function isPythonCode({kind, document}: vscode.NotebookCell): boolean {
  return kind === vscode.NotebookCellKind.Code && document.languageId === 'python';
}
