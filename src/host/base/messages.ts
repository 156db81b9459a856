import * as vscode from 'vscode';

/**
 * Escapes text for a notification, in which VS Code turns `[text](command:…)` into links: file names and script output
 * must stay text.
 */
export function plainText(text: string): string {
  return text.replaceAll('](', ']\u200b(');
}

/** Escapes text for a quick pick entry, in which VS Code turns `$(name)` into icons. */
export function plainLabel(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}

/** Shows an error message with buttons; returns the pressed one. */
export function showError<Button extends string>(text: string, ...buttons: Button[]): Thenable<Button | undefined> {
  return vscode.window.showErrorMessage(plainText(text), ...buttons);
}

/** Shows an information message with buttons; returns the pressed one. */
export function showInformation<Button extends string>(
  text: string,
  ...buttons: Button[]
): Thenable<Button | undefined> {
  return vscode.window.showInformationMessage(plainText(text), ...buttons);
}
