import {say} from '../../base/say.js';
import {operationOrigins} from '../../figures/operation-origins.js';
import {kernelClass} from '../../names/kernel-class.js';
import {kindIndex} from '../../trace/slices.js';
import type {Trace} from '../../trace/trace.js';
import {kindOfRun, pathKindText, pathRows} from '../replay/path-rows.js';
import {threadPieces} from '../replay/thread-pieces.js';
import type {RecordedPath} from './recorded-path.js';

/** The ways to divide a critical path's time. */
export const pathSharers = ['kind', 'class', 'line', 'module'] as const;
export type PathSharer = (typeof pathSharers)[number];

/** A part of a critical path, whole ns. */
export interface PathShare {
  readonly name: string;
  readonly ns: number;
}

/** Returns the parts of a critical path, the largest first. They add up to it, except for rounding. */
export function pathShares(trace: Trace, path: RecordedPath, by: PathSharer): PathShare[] {
  const sums = new Map<string, number>();
  const add = (name: string, ns: number) => sums.set(name, (sums.get(name) ?? 0) + ns);
  if (by === 'module') addModules(trace, path, add);
  else if (by === 'class') addClasses(trace, path, add);
  else {
    for (const {kind, file, line, ns} of pathRows(trace, path, path.pieces)) {
      const place = file === null ? say('(no line of your code)') : `${file}:${String(line)}`;
      add(by === 'kind' ? pathKindText(kind) : place, ns);
    }
  }
  return [...sums]
    .map(([name, ns]) => ({name, ns: Math.round(ns)}))
    .filter(({ns}) => ns > 0)
    .sort((a, b) => b.ns - a.ns || (a.name < b.name ? -1 : 1));
}

type Add = (name: string, ns: number) => void;

/** Adds kernels by class, and other time by kind. */
function addClasses(trace: Trace, path: RecordedPath, add: Add): void {
  const {slices, strings} = trace;
  const isKernelRun = ({kind, from}: RecordedPath['pieces'][number]) =>
    kind === 'run' && slices.kind[path.graph.moments.slice[from]] === kindIndex.kernel;
  for (const piece of path.pieces.filter(isKernelRun)) {
    const row = path.graph.moments.slice[piece.from];
    const isOther = kindOfRun(trace, row) !== 'kernel';
    add(isOther ? pathKindText(kindOfRun(trace, row)) : kernelClass(strings.get(slices.name[row])), piece.ns);
  }
  const others = path.pieces.filter(piece => !isKernelRun(piece));
  for (const {kind, ns} of pathRows(trace, path, others)) add(`(${pathKindText(kind)})`, ns);
}

/** Adds GPU operations by the module that launched them, and CPU time by the module around it. */
function addModules(trace: Trace, path: RecordedPath, add: Add): void {
  const {slices, strings} = trace;
  const {module} = operationOrigins(trace);
  const nameOf = (row: number) => (row < 0 ? say('(outside any module)') : strings.get(slices.name[row]));
  const moduleOfMoment = new Map<number, number>();
  for (const moments of [path.operationStart, path.operationEnd]) {
    moments.forEach((moment, operation) => moduleOfMoment.set(moment, module[operation]));
  }
  for (const {kind, from, to, ns} of path.pieces) {
    if (kind !== 'cpu') add(nameOf(moduleOfMoment.get(to) ?? moduleOfMoment.get(from) ?? -1), ns);
  }
  const onThreads = path.pieces.filter(({kind}) => kind === 'cpu');
  const isModule = (row: number) => slices.kind[row] === kindIndex.module;
  for (const {frame, ns} of threadPieces(trace, path, onThreads, isModule)) add(nameOf(frame), ns);
}
