import {basename} from 'node:path';
import * as vscode from 'vscode';
import {askText} from '../base/ask.js';
import {joinArguments, splitArguments} from '../../launch/command/argument-text.js';

/** The last arguments of each script, stored per workspace. */
export class ScriptArguments {
  constructor(private readonly state: vscode.Memento) {}

  /** Returns the last arguments of a script, empty for none. */
  last(script: vscode.Uri): readonly string[] {
    const stored = this.state.get<unknown>(key(script));
    return Array.isArray(stored) ? stored.filter((argument): argument is string => typeof argument === 'string') : [];
  }

  /** Asks for the arguments, with the last ones filled in, and stores them; undefined if the user cancels. */
  async ask(script: vscode.Uri): Promise<readonly string[] | undefined> {
    const text = await askText({
      title: vscode.l10n.t('Arguments of {0}', basename(script.fsPath)),
      prompt: vscode.l10n.t('As on a command line: quotes keep an argument with blanks together.'),
      value: joinArguments(this.last(script)),
    });
    if (text === undefined) return undefined;
    const args = splitArguments(text);
    await this.state.update(key(script), args);
    return args;
  }
}

function key(script: vscode.Uri): string {
  return `arguments ${script.toString()}`;
}
