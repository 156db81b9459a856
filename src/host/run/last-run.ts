import * as vscode from 'vscode';
import {joinArguments} from '../../launch/argument-text.js';
import {definitionName, readDefinition} from '../../launch/profile-definition.js';
import type {RecordedProfile} from '../../launch/profile-result.js';
import type {RunChoice, RunPlan} from './run-plan.js';

const lastKey = 'lastRun';
const runsKey = 'runsOfProfiles';
/** Profiles of more runs than that are profiled again by what they are named after. */
const mostRuns = 30;

/** A plan as VS Code keeps it. */
interface StoredPlan {
  readonly definition?: unknown;
  readonly folder?: unknown;
  readonly preLaunchTask?: unknown;
  /** The profiles that it recorded. */
  readonly profiles?: unknown;
}

/** What was profiled last, and what recorded which profile, kept per workspace, to be run again. */
export class LastRun {
  constructor(private readonly state: vscode.Memento) {}

  /** Null where nothing has been run in this workspace. */
  get plan(): RunPlan | null {
    return planIn(this.state.get<unknown>(lastKey));
  }

  /** The run that recorded a profile, null for one that is not known. */
  planOf(profile: string): RunPlan | null {
    return planIn(this.#runs().find(({profiles}) => Array.isArray(profiles) && profiles.includes(profile)));
  }

  async keep(plan: RunPlan): Promise<void> {
    await this.state.update(lastKey, stored(plan));
  }

  /** Notes what a run has recorded; what must run before it is known of the last one alone. */
  async remember(profiles: readonly RecordedProfile[], plan: RunPlan): Promise<void> {
    if (profiles.length === 0) return;
    const last = this.plan;
    const isLast = last !== null && JSON.stringify(last.definition) === JSON.stringify(plan.definition);
    const run = {...stored(isLast ? last : plan), profiles: profiles.map(({path}) => path)};
    await this.state.update(runsKey, [run, ...this.#runs()].slice(0, mostRuns));
  }

  choices(): RunChoice[] {
    const {plan} = this;
    if (!plan) return [];
    return [
      {
        label: `$(debug-restart) Again: ${definitionName(plan.definition)}`,
        description: joinArguments(plan.definition.args ?? []),
        plan: () => Promise.resolve(plan),
      },
    ];
  }

  #runs(): readonly StoredPlan[] {
    const runs = this.state.get<unknown>(runsKey);
    return Array.isArray(runs) ? runs.filter(isStored) : [];
  }
}

function stored({definition, folder, preLaunchTask}: RunPlan): StoredPlan {
  return {definition, folder: folder?.uri.toString(), preLaunchTask};
}

function planIn(value: unknown): RunPlan | null {
  if (!isStored(value)) return null;
  const {definition, folder, preLaunchTask} = value;
  return {
    definition: readDefinition(definition),
    folder: typeof folder === 'string' ? vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(folder)) : undefined,
    preLaunchTask: typeof preLaunchTask === 'string' ? preLaunchTask : null,
  };
}

function isStored(value: unknown): value is StoredPlan {
  return typeof value === 'object' && value !== null;
}
