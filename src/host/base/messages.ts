import * as vscode from 'vscode';

/**
 * Text for a notification, in which VS Code makes links of `[text](command:…)`: file names and what scripts print must
 * stay text.
 */
export function plainText(text: string): string {
  return text.replaceAll('](', ']\u200b(');
}

/** Text for an entry of a list to choose from, in which VS Code makes icons of `$(name)`. */
export function plainLabel(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}

/** Shows a sentence and buttons; returns the one that was pressed. */
export function showError<Button extends string>(text: string, ...buttons: Button[]): Thenable<Button | undefined> {
  return vscode.window.showErrorMessage(plainText(text), ...buttons);
}

/** The same for what is no failure. */
export function showInformation<Button extends string>(
  text: string,
  ...buttons: Button[]
): Thenable<Button | undefined> {
  return vscode.window.showInformationMessage(plainText(text), ...buttons);
}
