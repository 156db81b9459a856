import type {Attribution} from '../attribution/attribute.js';
import {backwardUnmatched} from '../attribution/credit.js';
import {creditOperators, creditWithoutRanges, type Credits} from '../attribution/credit-operators.js';
import {moduleCalls} from '../attribution/module-calls.js';
import {rowsOfKinds} from '../attribution/rows-of-kinds.js';
import {moduleChoice} from '../figures/module-tree.js';
import {attributionOf} from '../scope/attribution-of.js';
import {kernelClass} from '../names/kernel-class.js';
import {getOrAdd} from '../table/get-or-add.js';
import {kindIndex, sliceKinds, type SliceKind, type SliceKindSet} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {comparedPaths, comparedTexts} from './compared-name.js';
import type {RecordedShapes} from './recorded-shapes.js';

/** What can have a row of GPU work each. */
export const workKinds = ['range', 'module', 'op', 'class', 'kernel'] as const;
export type WorkKind = (typeof workKinds)[number];

/** The name of a row. */
export interface WorkLabel {
  /** Names from the outermost range inwards, or only the name. */
  readonly path: string;
  /** The innermost name. */
  readonly name: string;
  /** Whether it collects work that belongs to nothing of its kind. */
  readonly isBucket: boolean;
  /** The sizes of an operator's inputs, if operators are separated by them. */
  readonly shapes?: string;
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
  /** Operation → the instance that it belongs to, -1 if the operation itself is the call. Null if all are. */
  readonly rangeOf: Int32Array | null;
  /** Operation → group. */
  readonly groupOf: Int32Array;
}

/** Returns the groups of one kind. @throws TraceError `trace/too-many-open-ranges` */
export function workGroups(trace: Trace, kind: WorkKind, shapes: RecordedShapes | null): WorkGroups {
  switch (kind) {
    case 'range':
      return pathWork(trace, attributionOf(trace), 'range');
    case 'module':
      return moduleWork(trace);
    case 'op':
      return operatorWork(trace, shapes);
    case 'class':
      return operationWork(trace, className);
    case 'kernel':
      return operationWork(trace, name => name);
  }
}

function moduleWork(trace: Trace): WorkGroups {
  if (moduleCalls(trace).length > 0) return pathWork(trace, attributionOf(trace, moduleChoice), 'module');
  return rangeWork(creditWithoutRanges(trace), new Int32Array(0), labelsWithBuckets('module'));
}

/** Groups ranges by path. @param word the word for a range in the name of the bucket of work outside all ranges */
function pathWork(trace: Trace, attribution: Attribution, word: string): WorkGroups {
  const {length, groupOf, namesOf} = comparedPaths(trace, attribution.ranges);
  const labels = labelsWithBuckets(word);
  const labelOf = Int32Array.from({length}, (_, group) => {
    const names = namesOf(group);
    return labels.of({path: names.join('/'), name: names[names.length - 1], isBucket: false});
  });
  return rangeWork(
    attribution,
    groupOf.map(group => labelOf[group]),
    labels,
  );
}

const operatorKinds: SliceKindSet = new Set<SliceKind>(['cpu_op']);

function operatorWork(trace: Trace, shapes: RecordedShapes | null): WorkGroups {
  const {slices, strings} = trace;
  const rows = rowsOfKinds(trace, operatorKinds);
  const comparedText = comparedTexts(trace);
  const labels = labelsWithBuckets('operator');
  const groupOfName = new Int32Array(strings.length).fill(-1);
  const groupOf = new Int32Array(rows.length);
  for (let range = 0; range < rows.length; range++) {
    const name = slices.name[rows[range]];
    const ofShapes = shapes?.get(rows[range]);
    if (ofShapes !== undefined) {
      groupOf[range] = labelOf(comparedText(name), ofShapes);
      continue;
    }
    if (groupOfName[name] < 0) groupOfName[name] = labelOf(comparedText(name));
    groupOf[range] = groupOfName[name];
  }
  return rangeWork(creditOperators(trace, rows), groupOf, labels);

  function labelOf(text: string, ofShapes?: string): number {
    if (ofShapes === undefined) return labels.of({path: text, name: text, isBucket: false});
    return labels.of({path: `${text} ${ofShapes}`, name: text, isBucket: false, shapes: ofShapes});
  }
}

/** The indices of the labels of work outside all ranges. */
const bucketAt = {outside: 0, noLaunch: 1, backward: 2} as const;

function labelsWithBuckets(word: string): Labels {
  const labels = new Labels();
  const names = [`(outside any ${word})`, '(no launch call)', '(backward, unmatched)'];
  for (const name of names) labels.of({path: name, name, isBucket: true});
  return labels;
}

/** Groups operations by the range that they are credited to. @param groupOfRange range → index of its label */
function rangeWork({ranges, sites, credit}: Credits, groupOfRange: Int32Array, labels: Labels): WorkGroups {
  const {siteOf} = sites;
  const rangeOf = new Int32Array(siteOf.length);
  const groupOf = new Int32Array(siteOf.length);
  for (let operation = 0; operation < siteOf.length; operation++) {
    const site = siteOf[operation];
    const credited = site < 0 ? -1 : credit.range[site];
    rangeOf[operation] = credited < 0 ? -1 : credited;
    if (credited >= 0) groupOf[operation] = groupOfRange[credited];
    else if (site < 0) groupOf[operation] = bucketAt.noLaunch;
    else groupOf[operation] = credited === backwardUnmatched ? bucketAt.backward : bucketAt.outside;
  }
  return {labels: labels.all, rangeRows: ranges.slice, groupOfRange, rangeOf, groupOf};
}

const kindCount = sliceKinds.length;

/** Groups operations by a key derived from their name. */
function operationWork(
  {slices, gpuOperations, strings}: Trace,
  textOf: (name: string, kind: number) => string,
): WorkGroups {
  const labels = new Labels();
  const groupOfName = new Map<number, number>();
  const groupOf = new Int32Array(gpuOperations.length);
  // Many operations have the same name as the one before.
  let lastKey = -1;
  let group = -1;
  for (let operation = 0; operation < groupOf.length; operation++) {
    const row = gpuOperations.slice[operation];
    const key = slices.name[row] * kindCount + slices.kind[row];
    if (key !== lastKey) group = getOrAdd(groupOfName, (lastKey = key), () => labelOf(row));
    groupOf[operation] = group;
  }
  const none = new Int32Array(0);
  return {labels: labels.all, rangeRows: none, groupOfRange: none, rangeOf: null, groupOf};

  function labelOf(row: number): number {
    const name = textOf(strings.get(slices.name[row]), slices.kind[row]);
    return labels.of({path: name, name, isBucket: false});
  }
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
