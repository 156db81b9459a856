import * as vscode from 'vscode';
import {plainLabel} from './messages.js';

/** How long VS Code may still give the focus back to the page that had it before a command was chosen, ms. */
const refocusAfterMs = 250;

/**
 * Asks for one entry of a list; undefined where the person gives up.
 *
 * VS Code hands the focus back to a page some time after a command was chosen, and to a page that comes into view: a
 * list that closes when it loses the focus would close under the person's hands. This one stays, takes the focus back,
 * and ends with Escape or a click into the code.
 */
export function askOne<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: vscode.QuickPickOptions,
): Promise<Item | undefined> {
  return open(token => vscode.window.showQuickPick(items, {...options, ignoreFocusOut: true}, token));
}

/** Asks for one or more entries, of which those that are `picked` are marked: see `askOne`. */
export function askSome<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: vscode.QuickPickOptions,
): Promise<readonly Item[] | undefined> {
  const many = {...options, ignoreFocusOut: true, canPickMany: true} as const;
  return open(token => vscode.window.showQuickPick(items, many, token));
}

/** Asks for one of several names; undefined where the person gives up. */
export async function askName(names: readonly string[], title: string): Promise<string | undefined> {
  const items = names.map(name => ({label: plainLabel(name), name}));
  return names.length === 1 ? names[0] : (await askOne(items, {title}))?.name;
}

/** Asks for a text; undefined where the person gives up. What is typed stays while they look something up in the code. */
export async function askText(options: vscode.InputBoxOptions): Promise<string | undefined> {
  return focused(vscode.window.showInputBox({...options, ignoreFocusOut: true}));
}

/** Shows a list that a command has filled, and returns what `listen` answers with; undefined where the person gives up. */
export async function askList<Item extends vscode.QuickPickItem, Answer>(
  list: vscode.QuickPick<Item>,
  listen: (answer: (answer: Answer | undefined) => void) => void,
): Promise<Answer | undefined> {
  list.ignoreFocusOut = true;
  const show = (token: vscode.CancellationToken) =>
    new Promise<Answer | undefined>(resolve => {
      listen(resolve);
      list.onDidHide(() => {
        resolve(undefined);
      });
      token.onCancellationRequested(() => {
        list.hide();
      });
      list.show();
    });
  try {
    return await open(show);
  } finally {
    list.dispose();
  }
}

/** Runs what shows a list; its token ends with a click into the code. */
async function open<Answer>(show: (token: vscode.CancellationToken) => Thenable<Answer>): Promise<Answer> {
  const end = new vscode.CancellationTokenSource();
  const clicks = vscode.window.onDidChangeTextEditorSelection(({kind}) => {
    if (kind === vscode.TextEditorSelectionChangeKind.Mouse) end.cancel();
  });
  try {
    return await focused(show(end.token));
  } finally {
    clicks.dispose();
    end.dispose();
  }
}

async function focused<Answer>(answered: Thenable<Answer>): Promise<Answer> {
  const focus = () => void vscode.commands.executeCommand('workbench.action.focusQuickOpen');
  const timer = setTimeout(focus, refocusAfterMs);
  try {
    return await answered;
  } finally {
    clearTimeout(timer);
  }
}
