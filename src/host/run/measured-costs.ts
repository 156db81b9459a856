import type * as vscode from 'vscode';
import {parseOptionSteps, optionCosts, type OptionCost, type OptionSteps} from '../../core/benchmark/option-costs.js';
import {isFields} from '../../core/read-json.js';

const key = 'optionSteps';
const mostScripts = 30;

/** What options of the profiler cost one script. */
export interface MeasuredCosts {
  /** The script's name, as runs have it. */
  readonly name: string;
  readonly costs: readonly OptionCost[];
}

/** What options cost the scripts of this workspace, as it was measured last. */
export class CostMemory {
  constructor(private readonly state: vscode.Memento) {}

  async keep(name: string, steps: OptionSteps): Promise<void> {
    const others = this.#kept().filter(one => one.name !== name);
    await this.state.update(key, [{name, steps}, ...others].slice(0, mostScripts));
  }

  /** Those of the first of these scripts that was measured, else of the one that was measured last; null of none. */
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
