import * as vscode from 'vscode';
import type {ProfileResult} from '../launch/run/profile-result.js';
import {definitionName, taskType} from '../launch/command/profile-definition.js';
import {commandIds} from './base/command-ids.js';
import {chooseRecordingCommand} from './commands/choose-recording.js';
import {EnvironmentCheck} from './commands/check-environment.js';
import {crossCheckCommand} from './commands/cross-check.js';
import {profileCellCommand} from './commands/profile-cell.js';
import {profileRunningCommand} from './commands/profile-running.js';
import {profileAgainCommand, recordStacksAgainCommand} from './commands/profile-again.js';
import {profileModelStepCommand, profileWithArgumentsCommand, type RunServices} from './commands/profile-model-step.js';
import type {Log} from './base/log.js';
import type {PrivacyNote} from './profiles/privacy-note.js';
import type {ProfileStore} from './profiles/profile-store.js';
import {TerminalHistory} from './run/choices/terminal-choices.js';
import {watchCellRecordings} from './run/cell-recordings.js';
import {offerEarlierRun} from './run/earlier-runs.js';
import {LastRun} from './run/last-run.js';
import {CostMemory, measuredName} from './run/measured-costs.js';
import {ProfileRuns} from './run/profile-runs.js';
import {ProfileTaskProvider} from './run/profile-task-provider.js';
import type {RunPlan} from './run/run-plan.js';
import {ScriptArguments} from './run/script-arguments.js';
import {TorchFiles} from './run/torch-files.js';
import {showResult} from './run/show-result.js';

/** The part of the extension that runs programs: its commands, and what must be disposed of with them. */
export interface RunContribution {
  readonly commands: Readonly<Record<string, (...args: never[]) => unknown>>;
  readonly disposables: readonly {dispose(): unknown}[];
}

export function createRunServices(
  context: vscode.ExtensionContext,
  store: ProfileStore,
  privacy: PrivacyNote,
  log: Log,
  showSummary: () => void,
): RunContribution {
  const {workspaceState} = context;
  const lastRun = new LastRun(workspaceState);
  const costs = new CostMemory(workspaceState);
  const shown = {store, privacy, log, showSummary};
  const onEnd = async ({definition, folder, origin}: Omit<RunPlan, 'preLaunchTask'>, result: ProfileResult) => {
    if (result.optionSteps) await costs.keep(measuredName(definition, folder), result.optionSteps);
    await lastRun.remember(result.profiles, {
      ...{definition, folder, preLaunchTask: null},
      ...(origin && {origin}),
    });
    await showResult(definitionName(definition), result, shown);
  };
  const onEarlierEnd = async (name: string, result: ProfileResult, wasSeen: boolean) => {
    const {plan} = lastRun;
    if (plan && definitionName(plan.definition) === name) await lastRun.remember(result.profiles, plan);
    if (wasSeen || (await offerEarlierRun(name, result))) await showResult(name, result, shown);
  };
  const runs = new ProfileRuns(context, log, onEnd, onEarlierEnd);
  const terminals = new TerminalHistory();
  const environment = new EnvironmentCheck(context.extensionUri, log);
  const services: RunServices = {
    runs,
    lastRun,
    terminals,
    scriptArguments: new ScriptArguments(workspaceState),
    costs,
    log,
  };
  return {
    commands: {
      [commandIds.profileModelStep]: profileModelStepCommand(services),
      [commandIds.profileModelStepWithArguments]: profileWithArgumentsCommand(services),
      [commandIds.chooseRecording]: chooseRecordingCommand(services),
      [commandIds.crossCheck]: crossCheckCommand(services),
      [commandIds.profileAgain]: profileAgainCommand(services, store),
      [commandIds.recordStacksAgain]: recordStacksAgainCommand(services, store),
      [commandIds.profileCell]: profileCellCommand(context.extensionUri, log),
      [commandIds.profileRunning]: profileRunningCommand(log, (name, result) => showResult(name, result, shown)),
      [commandIds.checkEnvironment]: () => environment.show(),
    },
    disposables: [
      runs,
      terminals,
      environment,
      new TorchFiles(),
      watchCellRecordings(store, log),
      vscode.tasks.registerTaskProvider(taskType, new ProfileTaskProvider(runs.surroundings, log)),
    ],
  };
}
