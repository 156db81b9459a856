import {basename} from 'node:path';
import * as vscode from 'vscode';
import {commandIds} from '../command-ids.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import {runPlan, type RunServices} from './profile-model-step.js';

const noPackages = '**/{node_modules,.venv,venv,site-packages,.git}/**';
/** More scripts of one name are not listed. */
const mostScripts = 50;

/**
 * "Profile again": the run that recorded the active profile, else the script that the profile is named after, else what
 * was run last; the list of choices where there is nothing of these.
 */
export function profileAgainCommand(services: RunServices, store: ProfileStore): () => Promise<void> {
  const {lastRun} = services;
  return async () => {
    const {active} = store;
    const known = active ? lastRun.planOf(active.path) : lastRun.plan;
    if (known) {
      await runPlan(services, () => Promise.resolve(known));
      return;
    }
    const script = active ? await scriptOf(active.path) : null;
    if (script === undefined) return;
    const {plan} = lastRun;
    if (script === null && plan) await runPlan(services, () => Promise.resolve(plan));
    else await vscode.commands.executeCommand(commandIds.profileModelStep, script ?? undefined);
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
