import {foldedNaming, nameInRows, type Naming} from '../attribution/name-fold.js';
import {groupByPath} from '../attribution/range-groups.js';
import {rangeTotals} from '../attribution/range-totals.js';
import {rangeChoiceOf} from '../attribution/range-stack.js';
import type {Ranges} from '../attribution/ranges.js';
import {TextGroups} from '../figures/group-index.js';
import {moduleLabels} from '../figures/module-labels.js';
import {modulesShown} from '../figures/modules-shown.js';
import type {Trace} from '../trace/trace.js';
import {attributionOf} from '../scope/attribution-of.js';
import {stepScope} from '../scope/step-scope.js';
import {stepsOf} from '../scope/steps.js';
import {chosenIn, gpuWorkIn, scopeIn, wallIn, type TimingScope} from '../scope/timing-scope.js';

/** All ranges of one call path; steps with different numbers are one. Times are sums over all of them, ns. */
export interface RangeNode {
  /** Index in `nodes` of the path without its last name, -1 for none. It comes before this node. */
  readonly parent: number;
  readonly name: string;
  /** Whether the name has "*" in place of the numbers of steps. */
  readonly isFolded: boolean;
  readonly count: number;
  readonly gpuWorkNs: number;
  readonly backwardGpuWorkNs: number;
  readonly cpuWallNs: number;
}

/** The ranges of a trace by call path. @see docs/metrics.md#hot-ranges */
export interface RangeTree {
  /** All steps if the trace has any, else the whole trace; a window if one was requested. */
  readonly of: TimingScope;
  /** 0 if figures are not of steps. */
  readonly steps: number;
  /** Siblings with the most work come first; without GPU work, those with the most wall time. */
  readonly nodes: readonly RangeNode[];
  /** The number of omitted paths: those with the least work. */
  readonly omitted: number;
  /** The GPU work that shares refer to. */
  readonly allGpuWorkNs: number;
  readonly allWallNs: number;
}

/**
 * Returns the paths with the most work, at most `most`, always together with their ancestors.
 *
 * Modules count as ranges if the user has none; identical layers are one.
 *
 * @param operators names of operators that count as ranges, too
 */
export function rangeTree(
  trace: Trace,
  wanted: TimingScope = 'steps',
  operators: readonly string[] = [],
  most = 2000,
): RangeTree {
  const of = scopeIn(trace, wanted);
  const chosen = chosenIn(trace, of);
  const modules = modulesShown(trace) === 'shown';
  const isUsual = operators.length === 0 && !modules;
  const attribution = isUsual ? attributionOf(trace) : attributionOf(trace, {...rangeChoiceOf({operators}), modules});
  const naming = withModules(trace, namingOfSteps(trace, attribution.ranges));
  const groups = groupByPath(trace, attribution.ranges, naming, naming.numberOfRow);
  const totals = rangeTotals(trace, attribution, groups, chosen);
  const allGpuWorkNs = gpuWorkIn(trace, chosen);
  const weightNs = Array.from({length: groups.length}, (_, at) =>
    allGpuWorkNs > 0 ? totals.gpuWorkNs[at] + totals.backwardGpuWorkNs[at] : totals.cpuWallNs[at],
  );
  const {parent, name} = groups.paths;
  const there = weightNs.map((_, at) => totals.count[at] + totals.operations[at] + totals.backwardOperations[at] > 0);
  const sorted = [...weightNs.keys()].filter(at => there[at]).sort((a, b) => weightNs[b] - weightNs[a] || a - b);
  const kept = new Set<number>();
  for (const at of sorted) {
    if (kept.size >= most) break;
    for (let path = at; path >= 0 && !kept.has(path); path = parent[path]) kept.add(path);
  }
  // Parents come before children in the order of paths; the heavier siblings come first.
  const depthOf = depthsOf(parent);
  const order = [...kept].sort((a, b) => depthOf[a] - depthOf[b] || weightNs[b] - weightNs[a] || a - b);
  const placeOf = new Map(order.map((at, place) => [at, place]));
  const nodes = order.map(at => ({
    parent: placeOf.get(parent[at]) ?? -1,
    name: naming.textOf(name[at]),
    isFolded: naming.isFolded(name[at]),
    count: totals.count[at],
    gpuWorkNs: totals.gpuWorkNs[at],
    backwardGpuWorkNs: totals.backwardGpuWorkNs[at],
    cpuWallNs: totals.cpuWallNs[at],
  }));
  return {
    of,
    steps: of === 'steps' ? stepScope(trace).numbers.length : 0,
    nodes,
    omitted: Math.max(0, sorted.length - kept.size),
    allGpuWorkNs,
    allWallNs: wallIn(trace, of),
  };
}

/** Returns each path's depth. Parents come before children. */
function depthsOf(parent: Int32Array): Int32Array {
  const depths = new Int32Array(parent.length);
  for (let at = 0; at < parent.length; at++) depths[at] = parent[at] < 0 ? 0 : depths[parent[at]] + 1;
  return depths;
}

interface RowNaming extends Naming {
  readonly isFolded: (name: number) => boolean;
}

/** Returns calls of modules by their labels, which are numbered after the trace's strings. */
function withModules(
  trace: Trace,
  naming: RowNaming,
): RowNaming & {
  readonly numberOfRow: (row: number) => number;
} {
  const {slices, strings} = trace;
  const {of} = moduleLabels(trace);
  const labels = new TextGroups();
  return {
    nameOf: naming.nameOf,
    textOf: name => (name < strings.length ? naming.textOf(name) : labels.texts[name - strings.length]),
    isFolded: name => name < strings.length && naming.isFolded(name),
    numberOfRow(row) {
      const label = of(row);
      return label === null ? nameInRows(naming, slices.name[row]) : strings.length + labels.index(label);
    },
  };
}

/** Returns names without the numbers of steps: `train_step_3` becomes `train_step_*` if it is a step. */
function namingOfSteps(trace: Trace, ranges: Ranges): RowNaming {
  const {nameOf, textOf} = foldedNaming(trace, {unfolded: []}, ranges.slice);
  const names = new Set(stepsOf(trace).map(({slice}) => nameOf?.[trace.slices.name[slice]] ?? -1));
  // Steps that are not tagged ranges (operators, in traces of 2021) have no names here.
  names.delete(-1);
  const [first = -1] = names;
  const isFolded = (name: number) => names.has(name) && /\d$/.test(textOf(name));
  return {
    isFolded,
    nameOf: nameOf?.map(name => (names.has(name) ? first : name)) ?? null,
    textOf: name => (isFolded(name) ? textOf(name).replace(/\d+$/, '*') : textOf(name)),
  };
}
