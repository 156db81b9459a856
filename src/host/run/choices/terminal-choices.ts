import {maskSecrets} from '../../../core/format/mask-secrets.js';
import * as vscode from 'vscode';
import {isWorthProfiling, shellLineDefinition} from '../../../launch/command/shell-line.js';
import type {RunChoice} from '../run-plan.js';

const mostLines = 5;

interface TypedLine {
  readonly text: string;
  readonly cwd: string | undefined;
}

/** The last commands typed in terminals, as shell integration reports them. */
export class TerminalHistory implements vscode.Disposable {
  #lines: readonly TypedLine[] = [];
  // When a command starts, its text may be a guess; it is certain when the command ends.
  readonly #listener = vscode.Disposable.from(
    vscode.window.onDidStartTerminalShellExecution(({execution}) => {
      this.#add(execution);
    }),
    vscode.window.onDidEndTerminalShellExecution(({execution}) => {
      this.#add(execution);
    }),
  );

  choices(): RunChoice[] {
    return this.#lines.map(({text, cwd}) => ({
      label: `$(terminal-view-icon) ${maskSecrets(text.split(' ')).join(' ')}`,
      ...(cwd !== undefined && {description: cwd}),
      plan: () =>
        Promise.resolve({
          definition: {...shellLineDefinition(text, vscode.env.shell), ...(cwd !== undefined && {cwd})},
          folder:
            (cwd === undefined ? undefined : vscode.workspace.getWorkspaceFolder(vscode.Uri.file(cwd))) ??
            vscode.workspace.workspaceFolders?.[0],
          preLaunchTask: null,
        }),
    }));
  }

  #add({commandLine, cwd}: vscode.TerminalShellExecution): void {
    const text = commandLine.value.trim();
    if (!isWorthProfiling(text)) return;
    const line = {text, cwd: cwd?.fsPath};
    const others = this.#lines.filter(other => other.text !== line.text || other.cwd !== line.cwd);
    this.#lines = [line, ...others].slice(0, mostLines);
  }

  dispose(): void {
    this.#listener.dispose();
  }
}
