import {maskSecrets} from '../../core/format/mask-secrets.js';
import * as vscode from 'vscode';
import {isFields, type JsonFields} from '../../core/base/read-json.js';
import {joinArguments} from '../../launch/command/argument-text.js';
import {definitionName, readDefinition} from '../../launch/command/profile-definition.js';
import type {RecordedProfile} from '../../launch/run/profile-result.js';
import type {RunChoice, RunOrigin, RunPlan} from './run-plan.js';

const lastKey = 'lastRun';
const runsKey = 'runsOfProfiles';
/** The most runs remembered. "Profile again" identifies older profiles by name. */
const mostRuns = 30;

/** The last run, and which run recorded which profile. Stored per workspace, to run again. */
export class LastRun {
  constructor(private readonly state: vscode.Memento) {}

  /** Null if nothing has been run in this workspace. */
  get plan(): RunPlan | null {
    const kept = this.state.get<unknown>(lastKey);
    return isFields(kept) ? planIn(kept) : null;
  }

  /** Returns the run that recorded a profile, null if unknown. */
  planOf(profile: string): RunPlan | null {
    const run = this.#runs().find(({profiles}) => Array.isArray(profiles) && profiles.includes(profile));
    return run ? planIn(run) : null;
  }

  async keep(plan: RunPlan): Promise<void> {
    await this.state.update(lastKey, stored(plan));
  }

  /** Remembers what a run recorded. The task to run first is remembered only for the last run. */
  async remember(profiles: readonly RecordedProfile[], plan: RunPlan): Promise<void> {
    if (profiles.length === 0) return;
    const last = this.plan;
    const isLast = last !== null && JSON.stringify(last.definition) === JSON.stringify(plan.definition);
    const run = {...stored(isLast ? last : plan), profiles: profiles.map(({path}) => path)};
    await this.state.update(runsKey, [run, ...this.#runs()].slice(0, mostRuns));
  }

  /** @param now returns a plan as its source defines it now */
  choices(now: (plan: RunPlan) => Promise<RunPlan>): RunChoice[] {
    const {plan} = this;
    if (!plan) return [];
    return [
      {
        label: vscode.l10n.t('$(debug-restart) Again: {0}', definitionName(plan.definition)),
        description: joinArguments(maskSecrets(plan.definition.args ?? [])),
        plan: () => now(plan),
      },
    ];
  }

  /** Returns the stored plans, with the profiles that each recorded. */
  #runs(): readonly JsonFields[] {
    const runs = this.state.get<unknown>(runsKey);
    return Array.isArray(runs) ? runs.filter(isFields) : [];
  }
}

function stored({definition, folder, preLaunchTask, origin}: RunPlan): JsonFields {
  return {definition, folder: folder?.uri.toString(), preLaunchTask, origin};
}

function planIn({definition, folder, preLaunchTask, origin}: JsonFields): RunPlan {
  const chosenFrom = originIn(origin);
  return {
    definition: readDefinition(definition),
    folder: typeof folder === 'string' ? vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(folder)) : undefined,
    preLaunchTask: typeof preLaunchTask === 'string' ? preLaunchTask : null,
    ...(chosenFrom && {origin: chosenFrom}),
  };
}

function originIn(value: unknown): RunOrigin | null {
  if (!isFields(value) || typeof value['name'] !== 'string') return null;
  const {from, name, digest, file, source} = value;
  if (from === 'task' && typeof source === 'string') return {from, name, source};
  if (from !== 'launch configuration' || typeof digest !== 'string') return null;
  return {from, name, digest, file: typeof file === 'string' ? file : null};
}
