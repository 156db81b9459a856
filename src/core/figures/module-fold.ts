import {pushAll} from '../table/extremes.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {ModuleNode, ModuleTree} from './module-tree.js';

/** Modules that are shown as one: identical layers, and the modules at the same place in each of them. */
export interface ModuleGroup {
  /** Position in the groups, -1 for an outermost group. Parents precede children. */
  readonly parent: number;
  /** Positions in the tree; several if layers are folded. */
  readonly members: readonly number[];
  /** `Net.layers.0…11.mlp`; for Python stacks, without the modules around it: `Linear_0, 7 … 77`. */
  readonly name: string;
}

export interface ModuleGroups {
  readonly groups: readonly ModuleGroup[];
  /** Node of the tree → its group. */
  readonly groupOf: Int32Array;
}

/** Returns a module's class, as recorded by the runner, by the module's name; null if unknown. */
export type ClassOfModule = (name: string) => string | null;

/**
 * Groups the modules of a tree so that identical layers are one: siblings of one class, with consecutive numbers in an
 * otherwise equal name, that contain the same modules. Modules at the same place in each of them are one, too.
 *
 * A module without inner modules is folded only if its class is known: the number in a Python stack counts calls, not
 * layers.
 *
 * @param isFolded if false, each module is a group
 * @see docs/metrics.md#modules-sum
 */
export function foldModules(tree: ModuleTree, isFolded: boolean, classOf: ClassOfModule = () => null): ModuleGroups {
  const children = childrenOf(tree.nodes);
  const shapes = shapesOf(tree, children, classOf);
  const isLayer = (node: number) => (children.get(node) ?? []).length > 0 || isKnownLeaf(tree, node, classOf);
  const groups: ModuleGroup[] = [];
  const groupOf = new Int32Array(tree.nodes.length).fill(-1);
  /**
   * Siblings, each with the modules at its place in the layers that its parent was folded from, and the parent's group.
   */
  const waiting = [{places: (children.get(-1) ?? []).map(node => [node]), parent: -1}];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const members of isFolded ? withRuns(tree, next.places, shapes, isLayer) : next.places) {
      const group = groups.push(groupFor(tree, members, next.parent, groups)) - 1;
      for (const node of members) groupOf[node] = group;
      const inside = members.map(node => children.get(node) ?? []);
      waiting.push({places: (inside[0] ?? []).map((_, at) => inside.map(list => list[at])), parent: group});
    }
  }
  return {groups, groupOf};
}

/** Returns node → its children in the order of the tree; -1 → the outermost nodes. */
function childrenOf(nodes: readonly ModuleNode[]): Map<number, number[]> {
  const children = new Map<number, number[]>();
  nodes.forEach(({parent}, node) => getOrAdd(children, parent, () => []).push(node));
  return children;
}

function isKnownLeaf({arePaths, nodes}: ModuleTree, node: number, classOf: ClassOfModule): boolean {
  return arePaths && classOf(nodes[node].name) !== null;
}

/** Returns node → number of its shape: class, and names and shapes of its children. Equal for identical modules. */
function shapesOf(
  {nodes, arePaths}: ModuleTree,
  children: ReadonlyMap<number, number[]>,
  classOf: ClassOfModule,
): Int32Array {
  const shapeOf = new Int32Array(nodes.length);
  const known = new Map<string, number>();
  for (let node = nodes.length - 1; node >= 0; node--) {
    const kind = arePaths ? classOf(nodes[node].name) : classOfCall(nodes[node].name);
    const inside = (children.get(node) ?? []).map(child => [arePaths ? nodes[child].inside : '', shapeOf[child]]);
    shapeOf[node] = getOrAdd(known, JSON.stringify([kind, inside]), () => known.size);
  }
  return shapeOf;
}

/** Returns the class of a module of a Python stack: `Linear_3` is a `Linear`. */
export function classOfCall(name: string): string {
  return name.replace(/_\d+$/, '');
}

/** Merges each run of identical layers into one place, at the position of the run's first. */
function withRuns(
  tree: ModuleTree,
  places: readonly number[][],
  shapes: Int32Array,
  isLayer: (node: number) => boolean,
): number[][] {
  const runs: {readonly key: string; last: number; readonly members: number[]}[] = [];
  const open = new Map<string, (typeof runs)[number]>();
  for (const members of places) {
    const [node] = members;
    const parts = numberParts(tree, node);
    const key = JSON.stringify([parts && [parts.before, parts.after], shapes[node], members.length]);
    const run = parts && isLayer(node) ? open.get(key) : undefined;
    if (parts && run?.last === parts.number - 1) {
      run.last = parts.number;
      pushAll(run.members, members);
      continue;
    }
    const begun = {key, last: parts?.number ?? -1, members: [...members]};
    runs.push(begun);
    open.set(key, begun);
  }
  return runs.map(({members}) => members);
}

interface NumberParts {
  readonly before: string;
  readonly number: number;
  readonly after: string;
}

/**
 * Returns the number that layers differ by: the last part of a path that is a number, or the number of a Python stack.
 */
function numberParts({nodes, arePaths}: Pick<ModuleTree, 'nodes' | 'arePaths'>, node: number): NumberParts | null {
  const {inside} = nodes[node];
  if (!arePaths) {
    const match = /^(.*_)(\d{1,9})$/.exec(inside);
    return match && {before: match[1], number: Number(match[2]), after: ''};
  }
  const parts = inside.split('.');
  const at = parts.findLastIndex(part => /^\d{1,9}$/.test(part));
  if (at < 0) return null;
  const before = parts.slice(0, at).map(part => `${part}.`);
  const after = parts.slice(at + 1).map(part => `.${part}`);
  return {before: before.join(''), number: Number(parts[at]), after: after.join('')};
}

function groupFor(
  tree: ModuleTree,
  members: readonly number[],
  parent: number,
  groups: readonly ModuleGroup[],
): ModuleGroup {
  const around = parent < 0 ? undefined : groups[parent];
  const inside = insideText(tree, members);
  const isBelow = tree.arePaths && around !== undefined && isPartOf(tree, members[0]);
  return {parent, members, name: isBelow ? `${around.name}.${inside}` : inside};
}

/** Only malicious files nest modules deeper than this. */
const mostNames = 64;

/**
 * Returns a group's name with the modules around it, if its own name does not include them:
 * `BertModel_0/BertLayer_0…11/Linear_0, 6 … 66`. Begins with "…" if there are too many.
 */
export function modulePath(groups: readonly ModuleGroup[], group: number): string {
  const names: string[] = [];
  let at = group;
  while (at >= 0 && names.length < mostNames) {
    const {name, parent} = groups[at];
    names.push(name);
    at = parent;
    // Names given by the runner begin with the names of the modules around them.
    while (at >= 0 && name.startsWith(`${groups[at].name}.`)) at = groups[at].parent;
  }
  if (at >= 0) names.push('…');
  return names.reverse().join('/');
}

/** Returns whether a node's path continues that of the module around it. */
function isPartOf({nodes}: ModuleTree, node: number): boolean {
  return nodes[node].inside !== nodes[node].name;
}

/** Returns the members' name relative to the module around them: `layers.0…11`, `Linear_0, 7 … 77`. */
function insideText(tree: ModuleTree, members: readonly number[]): string {
  const names = new Set(members.map(node => tree.nodes[node].inside));
  const parts = numberParts(tree, members[0]);
  if (names.size === 1 || parts === null) return [...names][0] ?? '';
  const numbers = members.map(node => numberParts(tree, node)?.number ?? -1).sort((a, b) => a - b);
  return parts.before + rangeText([...new Set(numbers)]) + parts.after;
}

/** Returns `0…11` for numbers without a gap, `0, 7 … 77` for others. @param numbers ascending, at least two */
function rangeText(numbers: readonly number[]): string {
  const [first, second] = numbers;
  const last = numbers[numbers.length - 1];
  if (last - first === numbers.length - 1) return `${String(first)}…${String(last)}`;
  return numbers.length <= 3 ? numbers.join(', ') : `${String(first)}, ${String(second)} … ${String(last)}`;
}
