import {getOrAdd} from '../table/get-or-add.js';
import {derived, derivedKey} from '../trace/derived.js';
import {numberless} from '../names/operator-name.js';
import {moduleRange} from '../source/module-forward.js';
import type {Trace} from '../trace/trace.js';
import {foldModules} from './module-fold.js';
import {moduleTree} from './module-tree.js';

/** Labels of module calls, in which identical layers are one: `nn.Module: Net.layers.0…11`. */
export interface ModuleLabels {
  /** Returns the label of a row of the slices table, null if it is not a module call. */
  readonly of: (row: number) => string | null;
  /** Returns a number for the called module, -1 if the row is not a module call. */
  readonly moduleOf: (row: number) => number;
}

const moduleLabelsKey = derivedKey<ModuleLabels>('module labels');

/** Returns the labels of a trace. @see docs/metrics.md#modules-sum */
export function moduleLabels(trace: Trace): ModuleLabels {
  const make = () => {
    const tree = moduleTree(trace);
    const {groups, groupOf} = foldModules(tree, true);
    const texts = new Map<number, string>();
    const moduleOf = (row: number) => tree.nodeOfSlice.get(row) ?? -1;
    const textOf = (group: number) => getOrAdd(texts, group, () => moduleRange(groups[group].name));
    return {moduleOf, of: (row: number) => (moduleOf(row) < 0 ? null : textOf(groupOf[moduleOf(row)]))};
  };
  return derived(trace, moduleLabelsKey, make, () => 0);
}

/** Returns the first of the names that a label of folded modules represents; any other name unchanged. */
export function firstOfFolded(label: string): string {
  return label.startsWith(moduleRange('')) ? label.replace(/(\d+)(?:…\d+|(?:, \d+)+(?: … \d+)?)/g, '$1') : label;
}

/** Returns the label with a star for each number, as selections of ranges use it; any other name unchanged. */
export function starredModule(label: string): string {
  return isFoldedModule(label) ? numberless(firstOfFolded(label)) : label;
}

/** Returns whether a name is a label of several modules. */
export function isFoldedModule(name: string): boolean {
  return firstOfFolded(name) !== name;
}
