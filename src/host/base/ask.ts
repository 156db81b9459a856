import * as vscode from 'vscode';
import {plainLabel} from './messages.js';

/** For how long VS Code may still return the focus to the page that had it before the command, in ms. */
const refocusAfterMs = 250;

/**
 * Asks for one entry of a list; undefined if the user cancels.
 *
 * VS Code returns the focus to a page some time after a command was chosen, and to a page that becomes visible. A list
 * that closes when it loses the focus would then disappear while in use. This one stays open, takes the focus back, and
 * closes on Escape or a click into the code.
 */
export function askOne<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: vscode.QuickPickOptions,
): Promise<Item | undefined> {
  return open(token => vscode.window.showQuickPick(items, {...options, ignoreFocusOut: true}, token));
}

/** Asks for one or more entries; those that are `picked` are preselected. See `askOne`. */
export function askSome<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: vscode.QuickPickOptions,
): Promise<readonly Item[] | undefined> {
  const many = {...options, ignoreFocusOut: true, canPickMany: true} as const;
  return open(token => vscode.window.showQuickPick(items, many, token));
}

/** Asks for one of several names; undefined if the user cancels. */
export async function askName(names: readonly string[], title: string): Promise<string | undefined> {
  const items = names.map(name => ({label: plainLabel(name), name}));
  return names.length === 1 ? names[0] : (await askOne(items, {title}))?.name;
}

/** Asks for a text; undefined if the user cancels. The typed text stays while the user looks something up in the code. */
export async function askText(options: vscode.InputBoxOptions): Promise<string | undefined> {
  return focused(vscode.window.showInputBox({...options, ignoreFocusOut: true}));
}

/** Shows a list that a command has filled, and returns the answer of `listen`; undefined if the user cancels. */
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

/** Runs a function that shows a list; a click into the code cancels its token. */
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
