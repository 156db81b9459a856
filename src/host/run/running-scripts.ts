import * as vscode from 'vscode';
import {showInformation} from '../messages.js';

/** The scripts that are being profiled: a second run of one would fight with the first for its terminal. */
export class RunningScripts {
  readonly #stops = new Map<string, vscode.CancellationTokenSource>();

  /** Whether the script is running already; if so, the user is asked what to do about it. */
  async isBusy(script: string, name: string): Promise<boolean> {
    const stop = this.#stops.get(script);
    if (!stop) return false;
    const choice = await showInformation(`${name} is still being profiled.`, 'Show Terminal', 'Stop It');
    if (choice === 'Show Terminal') await vscode.commands.executeCommand('workbench.action.terminal.focus');
    else if (choice === 'Stop It') stop.cancel();
    return true;
  }

  /** Runs `run` as the script's one run; its token is cancelled by `isBusy`'s "Stop It". */
  async track<T>(script: string, run: (stop: vscode.CancellationTokenSource) => Promise<T>): Promise<T> {
    const stop = new vscode.CancellationTokenSource();
    this.#stops.set(script, stop);
    try {
      return await run(stop);
    } finally {
      this.#stops.delete(script);
      stop.dispose();
    }
  }
}
