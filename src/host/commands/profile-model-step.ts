import * as vscode from 'vscode';
import {showFailure, type Log} from '../base/log.js';
import {activeFileChoice, anyFileChoice, planOfFile} from '../run/choices/file-choices.js';
import {launchChoices} from '../run/choices/launch-choices.js';
import {pickRun} from '../run/choices/pick-run.js';
import {taskChoices} from '../run/choices/task-choices.js';
import {planNow} from '../run/choices/plan-now.js';
import type {TerminalHistory} from '../run/choices/terminal-choices.js';
import type {LastRun} from '../run/last-run.js';
import type {CostMemory} from '../run/measured-costs.js';
import type {ProfileRuns} from '../run/profile-runs.js';
import type {RunPlan} from '../run/run-plan.js';
import type {ScriptArguments} from '../run/script-arguments.js';

/** The services of the profiling commands. */
export interface RunServices {
  readonly runs: ProfileRuns;
  readonly lastRun: LastRun;
  readonly terminals: TerminalHistory;
  readonly scriptArguments: ScriptArguments;
  readonly costs: CostMemory;
  readonly log: Log;
}

/** "Profile model step": runs and records the user's choice, or the file whose menu or button was used. */
export function profileModelStepCommand(services: RunServices): (uri?: unknown) => Promise<void> {
  return uri =>
    runPlan(services, async () => (isFile(uri) ? filePlan(uri, services.scriptArguments.last(uri)) : pick(services)));
}

/** "Profile script with arguments": asks for the arguments of the file in the editor, with the last ones filled in. */
export function profileWithArgumentsCommand(services: RunServices): (uri?: unknown) => Promise<void> {
  return uri =>
    runPlan(services, async () => {
      const file = isFile(uri) ? uri : vscode.window.activeTextEditor?.document.uri;
      if (file?.scheme !== 'file') return anyFileChoice().plan?.();
      const args = await services.scriptArguments.ask(file);
      return args && filePlan(file, args);
    });
}

/** Runs the result of `plan` in a trusted workspace and shows a failure. "Profile again" repeats a kept plan. */
export async function runPlan(
  services: RunServices,
  plan: () => Promise<RunPlan | undefined>,
  isKept = true,
): Promise<void> {
  const {runs, lastRun, log} = services;
  try {
    if (!vscode.workspace.isTrusted) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('GPU Lens runs scripts only in a trusted workspace. Profiles can be opened.'),
      );
      return;
    }
    const chosen = await plan();
    if (!chosen) return;
    if (isKept) await lastRun.keep(chosen);
    await runs.start(chosen);
  } catch (error) {
    await showFailure(log, error);
  }
}

/** Asks what to run. */
export async function pick(
  {lastRun, terminals, scriptArguments}: RunServices,
  title = vscode.l10n.t('Profile model step'),
): Promise<RunPlan | undefined> {
  const choice = await pickRun({
    title,
    first: [...activeFileChoice(script => scriptArguments.last(script)), ...lastRun.choices(planNow)],
    groups: [
      {title: vscode.l10n.t('launch configurations'), choices: launchChoices()},
      {title: vscode.l10n.t('typed in terminals'), choices: terminals.choices()},
    ],
    later: {title: vscode.l10n.t('tasks'), choices: taskChoices()},
    last: [anyFileChoice()],
  });
  return choice?.plan?.();
}

/** A modified open file is saved first. */
export async function filePlan(file: vscode.Uri, args: readonly string[]): Promise<RunPlan | undefined> {
  const document = vscode.workspace.textDocuments.find(({uri}) => uri.toString() === file.toString());
  if (document?.isDirty && !(await document.save())) return undefined;
  return planOfFile(file, args);
}

function isFile(uri: unknown): uri is vscode.Uri {
  return uri instanceof vscode.Uri && uri.scheme === 'file';
}
