import {basename} from 'node:path';
import * as vscode from 'vscode';
import {askOne} from '../base/ask.js';
import {commandIds} from '../base/command-ids.js';
import type {ProfileEntry, ProfileStore} from '../profiles/profile-store.js';
import {anyFileChoice} from '../run/choices/file-choices.js';
import {planNow} from '../run/choices/plan-now.js';
import type {RunPlan} from '../run/run-plan.js';
import {filePlan, runPlan, type RunServices} from './profile-model-step.js';

const noPackages = '**/{node_modules,.venv,venv,site-packages,.git}/**';
/** At most this many scripts of one name are listed. */
const mostScripts = 50;

/**
 * "Profile again": repeats the run that recorded the active profile. If that run is unknown, asks which script it was,
 * with the scripts that the profile may be named after first: the script in the editor may be another one. Without a
 * profile, repeats the last run, or shows the list of choices.
 */
export function profileAgainCommand(services: RunServices, store: ProfileStore): () => Promise<void> {
  return () => profileAgain(services, store, plan => plan, true);
}

/** "Record stacks and run again": repeats the run once with Python stacks. */
export function recordStacksAgainCommand(services: RunServices, store: ProfileStore): () => Promise<void> {
  return () =>
    profileAgain(services, store, plan => ({...plan, definition: {...plan.definition, stacks: true}}), false);
}

/** @param isKept whether "Profile again" repeats this run from now on */
async function profileAgain(
  services: RunServices,
  store: ProfileStore,
  change: (plan: RunPlan) => RunPlan,
  isKept: boolean,
): Promise<void> {
  const {active} = store;
  const known = active ? services.lastRun.planOf(active.path) : services.lastRun.plan;
  const changed = (plan: RunPlan | undefined) => plan && change(plan);
  if (known) await runPlan(services, async () => changed(await planNow(known)), isKept);
  else if (active) await runPlan(services, async () => changed(await askFor(active, services)), isKept);
  else await vscode.commands.executeCommand(commandIds.profileModelStep);
}

type Choice = vscode.QuickPickItem & {readonly plan: () => Promise<RunPlan | undefined>};

async function askFor({name, path}: ProfileEntry, {scriptArguments}: RunServices): Promise<RunPlan | undefined> {
  const scripts: Choice[] = (await scriptsOf(path)).map(uri => ({
    label: `$(file-code) ${vscode.workspace.asRelativePath(uri)}`,
    description: scriptArguments.last(uri).join(' '),
    plan: () => filePlan(uri, scriptArguments.last(uri)),
  }));
  const {label, plan} = anyFileChoice();
  const other: Choice = {label, plan: () => plan?.() ?? Promise.resolve(undefined)};
  const placeHolder = vscode.l10n.t('How {0} was recorded is not known here. Which script is to run?', name);
  const choice = await askOne([...scripts, other], {
    title: vscode.l10n.t('Profile again: {0}', name),
    placeHolder,
  });
  return choice?.plan();
}

/** Returns the workspace's scripts that a trace may be named after. */
async function scriptsOf(trace: string): Promise<readonly vscode.Uri[]> {
  // The runner names a trace after its script: train.pt.trace.json.gz, train.rank3.pt.trace.json.gz.
  const name = /^(.+?)(?:\.(?:rank|pid)\d+)*\.pt\.trace\.json(?:\.gz)?$/.exec(basename(trace))?.[1];
  // Braces, brackets and stars are special in a glob.
  if (name === undefined || /[*?{}[\]!]/.test(name)) return [];
  return vscode.workspace.findFiles(`**/${name}.py`, noPackages, mostScripts);
}
