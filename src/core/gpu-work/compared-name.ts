import type {Naming} from '../attribution/name-fold.js';
import {groupByPath, pathNames, type RangeGroups} from '../attribution/range-groups.js';
import type {Ranges} from '../attribution/ranges.js';
import {foldName} from '../names/operator-name.js';
import {stepsOf} from '../scope/steps.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {Trace} from '../trace/trace.js';

/**
 * Returns names without the parts that differ between two runs of one script: the numbers of steps and autograd nodes,
 * and addresses of objects. `ProfilerStep#3` and `train_step 3` become `ProfilerStep*` and `train_step *`.
 *
 * @param slices rows of the slices table whose names are needed
 */
function comparedNaming(trace: Trace, slices: Int32Array): Naming {
  const {strings, slices: table} = trace;
  const comparedText = comparedTexts(trace);
  const texts = new Map<number, string>();
  const firstOf = new Map<string, number>();
  const nameOf = new Int32Array(strings.length).fill(-1);
  for (let at = 0; at < slices.length; at++) {
    const name = table.name[slices[at]];
    if (nameOf[name] >= 0) continue;
    const text = comparedText(name);
    texts.set(name, text);
    nameOf[name] = getOrAdd(firstOf, text, () => name);
  }
  return {nameOf, textOf: name => texts.get(name) ?? strings.get(name)};
}

/** Returns a function that does so for one name, an index into the trace's strings. */
export function comparedTexts(trace: Trace): (name: number) => string {
  const {strings, slices} = trace;
  const ofSteps = new Set(stepsOf(trace).map(({slice}) => slices.name[slice]));
  return name => (ofSteps.has(name) ? strings.get(name).replace(/\d+$/, '*') : foldName(strings.get(name)));
}

/** Ranges grouped by their path of compared names. */
interface ComparedPaths extends RangeGroups {
  /** Returns the names of a group's path, the outermost first. */
  readonly namesOf: (group: number) => readonly string[];
}

/** Groups ranges by the path of their compared names. */
export function comparedPaths(trace: Trace, ranges: Ranges): ComparedPaths {
  const naming = comparedNaming(trace, ranges.slice);
  const {length, groupOf, paths} = groupByPath(trace, ranges, naming);
  return {length, groupOf, namesOf: group => pathNames(naming, paths, group)};
}
