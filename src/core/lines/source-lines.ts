import {derivedKey} from '../trace/derived.js';
import {insideNs, type Chosen} from '../attribution/chosen.js';
import type {RangeGroups} from '../attribution/range-groups.js';
import {rangeTotals} from '../attribution/range-totals.js';
import {classOfModule, simpleClassName, type ModuleClasses} from '../source/module-forward.js';
import {parsePythonFrame} from '../source/python-frame.js';
import {getOrAdd} from '../table/get-or-add.js';
import {kindIndex, type SliceKind} from '../trace/slices.js';
import {lineFigures} from '../attribution/totals-columns.js';
import type {Trace} from '../trace/trace.js';
import {mostNames} from './line-timings.js';
import {isUserFrame, operationOrigins} from '../figures/operation-origins.js';
import {attributionOf} from '../scope/attribution-of.js';
import {stepScope} from '../scope/step-scope.js';
import {chosenIn, derivedIn, gpuWorkIn, scopeIn, type TimingScope} from '../scope/timing-scope.js';

/** The GPU work launched by code at one place; times are whole ns. @see docs/metrics.md#source-lines */
export interface SourceWork {
  /** Calls of the functions or modules at this place. */
  readonly count: number;
  readonly cpuWallNs: number;
  /** Work launched inside, including all callees. An operation counts once, however often the place is on the stack. */
  readonly gpuWorkNs: number;
  readonly backwardGpuWorkNs: number;
  /** Work for which this is the innermost such place. */
  readonly gpuSelfNs: number;
  readonly backwardGpuSelfNs: number;
  readonly operations: number;
  readonly launches: number;
}

/** A line of the user's own files on which called functions begin. */
export interface FrameLine extends SourceWork {
  /** As in the profile: PyTorch cuts off the folder of the script. */
  readonly file: string;
  /**
   * From 1: the function's first line, including its decorators. For a function that was already running when the
   * recording began, the line that it was executing.
   */
  readonly line: number;
  readonly functions: readonly string[];
  /** The names of its frames. */
  readonly names: readonly string[];
}

/** A class whose modules were called. */
export interface ModuleClass extends SourceWork {
  readonly className: string;
  /** With its Python module if the runner recorded it; otherwise like `className`. */
  readonly qualifiedName: string;
  /** Distinct modules of the class. */
  readonly modules: number;
  /** The names of their ranges, at most `mostNames`. */
  readonly names: readonly string[];
}

/** Figures of source lines from a profile with Python stacks, tagged or not. */
export interface SourceLines {
  /** The number of steps that figures are sums over; 0 for the whole profile or a window. */
  readonly steps: number;
  /** All GPU work of the steps, the profile or the window, which shares refer to. */
  readonly allGpuWorkNs: number;
  /** Most work first. */
  readonly lines: readonly FrameLine[];
  readonly modules: readonly ModuleClass[];
}

const stackKinds: ReadonlySet<SliceKind> = new Set<SliceKind>(['python_function', 'module']);

const sourceLinesKey = derivedKey<SourceLines>('source lines');

/**
 * Returns the GPU work by line of the user's own Python files, and by class of modules.
 *
 * Empty for a profile without Python stacks. Lines' self figures, together with the work that no frame of the user's
 * code launched, add up to all GPU work; so do those of modules.
 *
 * @param classes the runner's classes of modules, which it names by their place; PyTorch names them by class
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function sourceLines(trace: Trace, wanted: TimingScope = 'steps', classes: ModuleClasses = {}): SourceLines {
  const of = scopeIn(trace, wanted);
  const classOf = (name: string) => (Object.hasOwn(classes, name) ? classes[name] : classOfModule(name));
  const make = (): SourceLines => {
    const chosen = chosenIn(trace, of);
    const frames = groupsOf(trace, 'python_function', frameKey);
    const modules = groupsOf(trace, 'module', classOf);
    const origins = operationOrigins(trace);
    const ofFrames = worksOf(trace, frames, origins.frame, origins.isOfForward, chosen);
    const ofModules = worksOf(trace, modules, origins.module, origins.isOfForward, chosen);
    return {
      steps: of === 'steps' ? stepScope(trace).numbers.length : 0,
      allGpuWorkNs: gpuWorkIn(trace, chosen),
      lines: byWork(ofFrames.map((work, group) => ({...frameAt(frames.names[group]), ...work}))),
      modules: byWork(
        ofModules.map((work, group) => {
          const qualifiedName = classOf(modules.names[group][0]) ?? '';
          const className = simpleClassName(qualifiedName);
          const names = modules.names[group];
          return {className, qualifiedName, modules: names.length, names: names.slice(0, mostNames), ...work};
        }),
      ),
    };
  };
  return derivedIn(trace, of, sourceLinesKey, make, JSON.stringify(classes));
}

interface NamedGroups extends RangeGroups {
  /** Group → the distinct names of its ranges. */
  readonly names: readonly (readonly string[])[];
  /** Name in the string table → group, -1 for none. */
  readonly groupOfName: Int32Array;
}

/** Groups slices of a kind by the key of their names; a null key excludes them. */
function groupsOf(trace: Trace, kind: SliceKind, keyOf: (name: string) => string | null): NamedGroups {
  const {slices, strings} = trace;
  const {slice} = attributionOf(trace, {kinds: stackKinds}).ranges;
  const groups = new Map<string, number>();
  const names: string[][] = [];
  const [none, unknown] = [-1, -2];
  const groupOfName = new Int32Array(strings.length).fill(unknown);
  const groupOf = slice.map(row => {
    if (slices.kind[row] !== kindIndex[kind]) return none;
    const name = slices.name[row];
    if (groupOfName[name] === unknown) {
      const text = strings.get(name);
      const key = keyOf(text);
      groupOfName[name] = key === null ? none : getOrAdd(groups, key, () => names.push([]) - 1);
      if (key !== null) names[groupOfName[name]].push(text);
    }
    return groupOfName[name];
  });
  return {length: names.length, groupOf, names, groupOfName: groupOfName.map(group => Math.max(none, group))};
}

function frameKey(name: string): string | null {
  const frame = isUserFrame(name) ? parsePythonFrame(name) : null;
  return frame && `${frame.path}:${String(frame.line)}`;
}

function frameAt(names: readonly string[]): Pick<FrameLine, 'file' | 'line' | 'functions' | 'names'> {
  const frames = names.map(parsePythonFrame).filter(frame => frame !== null);
  const [{path: file, line}] = frames;
  return {file, line, functions: frames.map(({name}) => name), names};
}

function worksOf(
  trace: Trace,
  groups: NamedGroups,
  origin: Int32Array,
  isOfForward: Uint8Array,
  chosen: Chosen,
): SourceWork[] {
  const totals = rangeTotals(trace, attributionOf(trace, {kinds: stackKinds}), groups, chosen);
  const self = selfWork(trace, groups, origin, isOfForward, chosen);
  return Array.from({length: groups.length}, (_, group) => ({
    ...lineFigures(totals, group),
    gpuSelfNs: self.forward[group],
    backwardGpuSelfNs: self.backward[group],
  }));
}

/** Returns work by its innermost place. That of ranges would count for the library's frames inside. */
function selfWork(
  {slices, gpuOperations}: Trace,
  {length, groupOfName}: NamedGroups,
  origin: Int32Array,
  isOfForward: Uint8Array,
  chosen: Chosen,
): {forward: Float64Array; backward: Float64Array} {
  const [forward, backward] = [new Float64Array(length), new Float64Array(length)];
  for (let operation = 0; operation < origin.length; operation++) {
    if (origin[operation] < 0 || chosen.operations?.[operation] === 0) continue;
    const group = groupOfName[slices.name[origin[operation]]];
    if (group < 0) continue;
    const side = isOfForward[operation] === 1 ? backward : forward;
    const slice = gpuOperations.slice[operation];
    side[group] += insideNs(slices.startNs[slice], slices.durationNs[slice], chosen);
  }
  return {forward, backward};
}

function byWork<T extends SourceWork>(works: T[]): T[] {
  const workNs = (work: SourceWork) => work.gpuWorkNs + work.backwardGpuWorkNs;
  return works.filter(({count, operations}) => count + operations > 0).sort((a, b) => workNs(b) - workNs(a));
}
