import {resolve} from 'node:path';
import * as vscode from 'vscode';
import {parseOptionSteps, optionCosts, type OptionCost, type OptionSteps} from '../../core/benchmark/option-costs.js';
import {isFields} from '../../core/base/read-json.js';
import {lastPart} from '../../launch/python/command-name.js';
import {isPythonScript} from '../../launch/python/launchers.js';
import {definitionName, type ProfileDefinition} from '../../launch/command/profile-definition.js';

const key = 'optionSteps';
const mostScripts = 30;

/** The cost of profiler options for one script. */
export interface MeasuredCosts {
  /** See `measuredName`. */
  readonly name: string;
  readonly costs: readonly OptionCost[];
}

/**
 * Returns the name of what a run measures: its script's path in the workspace if others may have the same name, else
 * its name.
 */
export function measuredName(definition: ProfileDefinition, folder: vscode.WorkspaceFolder | undefined): string {
  const {script, command = '', args = [], cwd = ''} = definition;
  const name = definitionName(definition);
  const file = script ?? [command, ...args].find(one => isPythonScript(one) && lastPart(one) === name);
  if (file === undefined) return name;
  const root = folder?.uri.fsPath ?? '';
  const [inside, path] = [cwd, file].map(one => one.replaceAll('${workspaceFolder}', root)) as [string, string];
  return vscode.workspace.asRelativePath(resolve(root, inside, path));
}

/** The last measured costs of options for this workspace's scripts. */
export class CostMemory {
  constructor(private readonly state: vscode.Memento) {}

  async keep(name: string, steps: OptionSteps): Promise<void> {
    const others = this.#kept().filter(one => one.name !== name);
    await this.state.update(key, [{name, steps}, ...others].slice(0, mostScripts));
  }

  /** Returns the costs of the first of these scripts that was measured, else the last measured; null for none. */
  of(names: readonly string[]): MeasuredCosts | null {
    const kept = this.#kept();
    const wanted = names.map(name => kept.find(one => one.name === name)).find(one => one !== undefined) ?? kept[0];
    return wanted ? {name: wanted.name, costs: optionCosts(wanted.steps)} : null;
  }

  #kept(): {readonly name: string; readonly steps: OptionSteps}[] {
    const value = this.state.get<unknown>(key);
    return (Array.isArray(value) ? value : []).filter(isFields).flatMap(({name, steps}) => {
      const read = isFields(steps) ? parseOptionSteps(steps) : null;
      return typeof name === 'string' && read ? [{name, steps: read}] : [];
    });
  }
}
