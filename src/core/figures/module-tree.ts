import {moduleCalls, pathTest} from '../attribution/module-calls.js';
import type {Attribution} from '../attribution/attribute.js';
import type {RangeChoice} from '../attribution/ranges.js';
import {moduleOfRange} from '../source/module-forward.js';
import {attributionOf} from '../scope/attribution-of.js';
import {getOrAdd} from '../table/get-or-add.js';
import {derived, derivedKey} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';

/** A node of the tree of modules: a module of the model, or, for Python stacks, the name of a call. */
export interface ModuleNode {
  /** `Net.layers.0`, or `Linear_0` in Python stacks. */
  readonly name: string;
  /** Position in the tree, -1 for an outermost node. Parents precede children. */
  readonly parent: number;
  /** Name relative to the module around it: `layers.0`; the full name if it does not begin with that module's. */
  readonly inside: string;
}

/**
 * The modules that were called, each once below the one around it.
 *
 * Names given by the runner are paths in the model, whatever the caller; names in Python stacks contain only the class,
 * so that the enclosing calls determine their place.
 */
export interface ModuleTree {
  readonly nodes: readonly ModuleNode[];
  /** Whether names are paths, as given by the runner. */
  readonly arePaths: boolean;
  /** Row of a call in the slices table → its module. */
  readonly nodeOfSlice: ReadonlyMap<number, number>;
}

const noModules: ModuleTree = {nodes: [], arePaths: false, nodeOfSlice: new Map()};

/** Selects module calls as the only ranges. */
export const moduleChoice: RangeChoice = {kinds: new Set(), modules: true};

const moduleTreeKey = derivedKey<ModuleTree>('module tree');

/**
 * Returns the tree of modules of a trace; without nodes if no module call was recorded. @see
 * docs/metrics.md#modules-sum
 */
export function moduleTree(trace: Trace): ModuleTree {
  if (moduleCalls(trace).length === 0) return noModules;
  const make = () => makeTree(trace, attributionOf(trace, moduleChoice));
  return derived(trace, moduleTreeKey, make, tree => 100 * tree.nodeOfSlice.size);
}

function makeTree({slices, strings}: Trace, {ranges}: Pick<Attribution, 'ranges'>): ModuleTree {
  const names = Array.from(ranges.slice, row => moduleOfRange(strings.get(slices.name[row])) ?? '');
  const arePaths = names.some(pathTest([...new Set(names)]));
  const {nodes, nodeOf} = arePaths ? nodesOfPaths(names, ranges.parent) : nodesOfCalls(names, ranges.parent);
  return {nodes, arePaths, nodeOfSlice: new Map(nodeOf.map((node, range) => [ranges.slice[range], node]))};
}

interface NodesOfRanges {
  readonly nodes: readonly ModuleNode[];
  /** Range → node. */
  readonly nodeOf: readonly number[];
}

/** Makes a node for each name below the node of the call around it. */
function nodesOfCalls(names: readonly string[], parentOf: Int32Array): NodesOfRanges {
  const nodes: ModuleNode[] = [];
  const known = new Map<string, number>();
  const nodeOf: number[] = [];
  names.forEach((name, range) => {
    const parent = parentOf[range] < 0 ? -1 : nodeOf[parentOf[range]];
    nodeOf.push(getOrAdd(known, `${String(parent)} ${name}`, () => nodes.push({name, parent, inside: name}) - 1));
  });
  return {nodes, nodeOf};
}

/**
 * Makes a node for each name, below the longest name that it begins with; if there is none, below the call around its
 * first call.
 */
function nodesOfPaths(names: readonly string[], parentOf: Int32Array): NodesOfRanges {
  const firstCall = new Map<string, number>();
  names.forEach((name, range) => getOrAdd(firstCall, name, () => range));
  const aroundOf = new Map<string, string>();
  for (const [name, range] of firstCall) {
    const around = nameAround(name, firstCall) ?? (parentOf[range] < 0 ? null : names[parentOf[range]]);
    if (around !== null && !isInside(around, name, aroundOf)) aroundOf.set(name, around);
  }
  const inOrder = parentsFirst([...firstCall.keys()], aroundOf);
  const place = new Map(inOrder.map((name, at) => [name, at]));
  const nodes = inOrder.map(name => {
    const around = aroundOf.get(name);
    const inside = around !== undefined && name.startsWith(`${around}.`) ? name.slice(around.length + 1) : name;
    return {name, parent: place.get(around ?? '') ?? -1, inside};
  });
  return {nodes, nodeOf: names.map(name => place.get(name) ?? -1)};
}

/** Only malicious files have longer names or deeper trees: such modules become outermost. */
const mostLetters = 2000;
const mostLevels = 1000;

/** Returns the longest called name that this one begins with: for `Net.layers.0`, `Net` if `layers` was not called. */
function nameAround(name: string, called: ReadonlyMap<string, number>): string | null {
  if (name.length > mostLetters) return null;
  for (let end = name.lastIndexOf('.'); end > 0; end = name.lastIndexOf('.', end - 1)) {
    if (called.has(name.slice(0, end))) return name.slice(0, end);
  }
  return null;
}

/** Returns whether a name is or lies inside another one; also true if it is too deep to tell. */
function isInside(name: string, other: string, aroundOf: ReadonlyMap<string, string>): boolean {
  let levels = 0;
  for (let at: string | undefined = name; at !== undefined; at = aroundOf.get(at)) {
    if (at === other || ++levels > mostLevels) return true;
  }
  return false;
}

/** Returns the names with enclosing ones first, otherwise in their order. */
function parentsFirst(names: readonly string[], aroundOf: ReadonlyMap<string, string>): string[] {
  const placed = new Set<string>();
  for (const name of names) {
    const chain: string[] = [];
    for (let at: string | undefined = name; at !== undefined && !placed.has(at); at = aroundOf.get(at)) chain.push(at);
    for (const one of chain.reverse()) placed.add(one);
  }
  return [...placed];
}
