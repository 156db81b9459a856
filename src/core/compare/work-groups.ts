import type {Attribution} from '../attribution/attribute.js';
import {backwardUnmatched} from '../attribution/credit.js';
import {groupByName, groupByPath, pathNames} from '../attribution/range-groups.js';
import {moduleChoice} from '../figures/module-tree.js';
import {attributionOf} from '../scope/attribution-of.js';
import {kernelClass} from '../names/kernel-class.js';
import {getOrAdd} from '../table/get-or-add.js';
import {kindIndex, type SliceKind, type SliceKindSet} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {comparedNaming} from './compared-name.js';

/** The kinds of rows by which GPU work is compared. */
export const workKinds = ['range', 'module', 'op', 'class', 'kernel'] as const;
export type WorkKind = (typeof workKinds)[number];

/** The name of a comparison's row. */
export interface WorkLabel {
  /** Names from the outermost range inwards, or only the name. */
  readonly path: string;
  /** The innermost name. */
  readonly name: string;
  /** Whether it collects work that belongs to nothing of its kind. */
  readonly isBucket: boolean;
}

/**
 * GPU operations by group. Each operation is in exactly one.
 *
 * A unit counts as a call: an instance of a range, or an operation. The first `rangeRows.length` units are instances,
 * in the order of the slices table; then there is a unit for each operation.
 */
export interface WorkGroups {
  readonly labels: readonly WorkLabel[];
  readonly rangeRows: Int32Array;
  /** Instance → group. */
  readonly groupOfRange: Int32Array;
  /** Returns the instance that an operation belongs to, or -1 if the operation itself is the call. */
  readonly rangeOf: (operation: number) => number;
  /** Returns the group of an operation that belongs to no instance. */
  readonly groupOf: (operation: number) => number;
}

/** Returns the groups of one kind. @throws TraceError `trace/too-many-open-ranges` */
export function workGroups(trace: Trace, kind: WorkKind): WorkGroups {
  switch (kind) {
    case 'range':
      return rangeWork(trace, attributionOf(trace), {word: 'range'});
    case 'module':
      return rangeWork(trace, attributionOf(trace, moduleChoice), {word: 'module'});
    case 'op':
      return rangeWork(trace, attributionOf(trace, {kinds: operatorKinds}), {word: 'operator', byName: true});
    case 'class':
      return operationWork(trace, className);
    case 'kernel':
      return operationWork(trace, name => name);
  }
}

const operatorKinds: SliceKindSet = new Set<SliceKind>(['cpu_op']);

/** How ranges are grouped. */
interface RangeGrouping {
  /** The word for a range in the name of the bucket of work outside all ranges. */
  readonly word: string;
  /** Whether to group by name instead of by path. */
  readonly byName?: boolean;
}

function rangeWork(trace: Trace, {ranges, sites, credit}: Attribution, grouping: RangeGrouping): WorkGroups {
  const {word, byName = false} = grouping;
  const naming = comparedNaming(trace, ranges.slice);
  const labels = new Labels();
  const bucketNames = [`(outside any ${word})`, '(no launch call)', '(backward, unmatched)'];
  const [outside, noLaunch, backward] = bucketNames.map(name => labels.of({path: name, name, isBucket: true}));
  const groups = byName ? groupByName(trace, ranges, naming) : groupByPath(trace, ranges, naming);
  const labelOf = Int32Array.from({length: groups.length}, (_, group) => {
    const names = 'name' in groups ? [naming.textOf(groups.name[group])] : pathNames(naming, groups.paths, group);
    return labels.of({path: names.join('/'), name: names[names.length - 1], isBucket: false});
  });
  const groupOfRange = groups.groupOf.map(group => labelOf[group]);
  const creditOf = (operation: number) => credit.range[sites.siteOf[operation]];
  return {
    labels: labels.all,
    rangeRows: ranges.slice,
    groupOfRange,
    rangeOf: operation => {
      return sites.siteOf[operation] < 0 ? -1 : Math.max(-1, creditOf(operation));
    },
    groupOf: operation => {
      if (sites.siteOf[operation] < 0) return noLaunch;
      return creditOf(operation) === backwardUnmatched ? backward : outside;
    },
  };
}

/** Groups operations by a key derived from their name. */
function operationWork(
  {slices, gpuOperations, strings}: Trace,
  textOf: (name: string, kind: number) => string,
): WorkGroups {
  const labels = new Labels();
  const groupOfName = new Map<number, number>();
  const none = new Int32Array(0);
  const groupOf = Int32Array.from(gpuOperations.slice, row => {
    const key = slices.name[row] * 256 + slices.kind[row];
    return getOrAdd(groupOfName, key, () => {
      const name = textOf(strings.get(slices.name[row]), slices.kind[row]);
      return labels.of({path: name, name, isBucket: false});
    });
  });
  return {labels: labels.all, rangeRows: none, groupOfRange: none, rangeOf: () => -1, groupOf: at => groupOf[at]};
}

/** Returns the class. Copies and memsets are classes of their own. */
function className(name: string, kind: number): string {
  if (kind === kindIndex.gpu_memcpy) return 'memcpy';
  if (kind === kindIndex.gpu_memset) return 'memset';
  return kind === kindIndex.graph ? 'graph' : kernelClass(name);
}

/** Distinct labels, in the order of first use. */
class Labels {
  readonly all: WorkLabel[] = [];
  readonly #known = new Map<string, number>();

  of(label: WorkLabel): number {
    return getOrAdd(this.#known, label.path, () => this.all.push(label) - 1);
  }
}
