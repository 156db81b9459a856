import {basename} from 'node:path';
import * as vscode from 'vscode';
import {commandIds} from '../command-ids.js';
import type {ProfileStore} from '../profiles/profile-store.js';

const noPackages = '**/{node_modules,.venv,venv,site-packages,.git}/**';
/** More scripts of one name are not listed. */
const mostScripts = 50;

/** "Profile again": runs the script that the active profile was recorded of, with its arguments of the last time. */
export function profileAgainCommand(store: ProfileStore): () => Promise<void> {
  return async () => {
    const script = store.active ? await scriptOf(store.active.path) : null;
    // Without one, "Profile model step" takes the file in the editor, or asks.
    if (script !== undefined) await vscode.commands.executeCommand(commandIds.profileModelStep, script ?? undefined);
  };
}

/** The script that a trace is named after; null where the workspace has none, undefined where the user picks none. */
async function scriptOf(trace: string): Promise<vscode.Uri | null | undefined> {
  // The runner names a trace after its script: train.pt.trace.json.gz, train.rank3.pt.trace.json.gz.
  const name = /^(.+?)(?:\.(?:rank|pid)\d+)*\.pt\.trace\.json(?:\.gz)?$/.exec(basename(trace))?.[1];
  // Braces, brackets and stars mean something in a glob.
  if (name === undefined || /[*?{}[\]!]/.test(name)) return null;
  const found = await vscode.workspace.findFiles(`**/${name}.py`, noPackages, mostScripts);
  if (found.length <= 1) return found[0] ?? null;
  const choices = found.map(uri => ({label: vscode.workspace.asRelativePath(uri), uri}));
  return (await vscode.window.showQuickPick(choices, {title: 'Which script?'}))?.uri;
}
