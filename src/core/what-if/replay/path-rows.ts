import {say, template} from '../../base/say.js';
import {operationOrigins} from '../../figures/operation-origins.js';
import {isCommunicationKernel} from '../../names/kernel-class.js';
import {shortKernelName} from '../../names/short-kernel-name.js';
import {parseCallLine} from '../../source/call-line.js';
import {parsePythonFrame} from '../../source/python-frame.js';
import {getOrAdd} from '../../table/get-or-add.js';
import {kindIndex, kindMask} from '../../trace/slices.js';
import type {Trace} from '../../trace/trace.js';
import {isOfOperation, type PathGraph, type PathPiece} from './critical-path.js';
import {threadPieces, type ThreadPiece} from './thread-pieces.js';

/** The kind of a part of the critical path. */
export type PathKind = 'kernel' | 'copy' | 'communication' | 'cpu' | 'data loader' | 'launch' | 'wait';

/** What is shown of each kind: templates. */
const kindTexts: Readonly<Record<PathKind, string>> = {
  kernel: template('kernel'),
  copy: template('copy'),
  communication: template('communication'),
  cpu: template('cpu'),
  'data loader': template('data loader'),
  launch: template('launch'),
  wait: template('wait'),
};

/** Returns the name of a kind in the editor's language. */
export const pathKindText = (kind: PathKind): string => say(kindTexts[kind]);

/** A row of a critical path: all pieces of one kind, name and line together. */
export interface PathRow {
  readonly kind: PathKind;
  readonly name: string;
  readonly ns: number;
  /** The line in the user's code; for a kernel, the one that launched it. Null if the profile does not record it. */
  readonly file: string | null;
  readonly line: number | null;
}

const isApiCall = kindMask(new Set(['cuda_runtime', 'cuda_driver']));

/** Returns the rows of a critical path, the longest first. They add up to its pieces, except for rounding. */
export function pathRows(trace: Trace, replay: PathGraph, pieces: readonly PathPiece[]): PathRow[] {
  const placeOf = placesOfOperations(trace, replay);
  const rows = new Map<string, {readonly row: Omit<PathRow, 'ns'>; ns: number}>();
  const add = ({ns, ...row}: PathRow) => {
    const key = JSON.stringify([row.kind, row.name, row.file, row.line]);
    getOrAdd(rows, key, () => ({row, ns: 0})).ns += ns;
  };
  for (const piece of pieces) if (piece.kind !== 'cpu') add(rowOfPiece(trace, replay, placeOf, piece));
  const onThreads = pieces.filter(({kind}) => kind === 'cpu');
  for (const piece of threadPieces(trace, replay, onThreads)) add(rowOfThread(trace, piece));
  return [...rows.values()]
    .map(({row: {kind, name, ...place}, ns}) => ({kind, name, ns: Math.round(ns), ...place}))
    .filter(({ns}) => ns !== 0)
    .sort((a, b) => b.ns - a.ns || (a.name < b.name ? -1 : 1));
}

type PlaceOf = (moment: number) => Place;

function rowOfPiece(trace: Trace, {graph}: PathGraph, placeOf: PlaceOf, {kind, from, to, ns}: PathPiece): PathRow {
  if (kind === 'run') {
    const slice = graph.moments.slice[from];
    return {kind: kindOfRun(trace, slice), name: nameOfRun(trace, slice), ns, ...placeOf(from)};
  }
  const isOfGpu = kind === 'launch' || (kind === 'stream' && isOfOperation(graph, from));
  if (kind === 'sync') return {kind: 'wait', name: nameOfSlice(trace, graph.moments.slice[to]), ns, ...placeOf(from)};
  if (!isOfGpu) return {kind: 'wait', name: say(waitNames[kind]), ns, ...noPlace};
  return {
    kind: 'launch',
    name: kind === 'launch' ? say('from launch to start') : say('to the next operation of the stream'),
    ns,
    ...placeOf(to),
  };
}

function rowOfThread({slices, strings}: Trace, {slice, frame, ns}: ThreadPiece): PathRow {
  const place = frame < 0 ? noPlace : placeOfName(strings.get(slices.name[frame]));
  if (slice < 0) return {kind: 'cpu', name: say('(CPU time outside operators)'), ns, ...place};
  const name = strings.get(slices.name[slice]);
  if (isApiCall[slices.kind[slice]] === 1) return {kind: 'launch', name, ns, ...place};
  return {kind: name.startsWith('enumerate(Data') ? 'data loader' : 'cpu', name, ns, ...place};
}

/** Templates. */
const waitNames: Readonly<Record<PathPiece['kind'], string>> = {
  cpu: '',
  run: '',
  launch: '',
  stream: template('earlier work of the GPU'),
  thread: template('between threads'),
  event: template('another stream'),
  sync: '',
};

type Place = Pick<PathRow, 'file' | 'line'>;

const noPlace: Place = {file: null, line: null};

function placeOfName(name: string): Place {
  const call = parseCallLine(name);
  if (call) return call;
  const frame = parsePythonFrame(name);
  return frame ? {file: frame.path, line: frame.line} : noPlace;
}

/** Moment of an operation → the line that launched it. */
function placesOfOperations(trace: Trace, replay: PathGraph): PlaceOf {
  const {frame} = operationOrigins(trace);
  const {slices, strings} = trace;
  const operationOf = new Map<number, number>();
  replay.operationStart.forEach((moment, operation) => operationOf.set(moment, operation));
  replay.operationEnd.forEach((moment, operation) => operationOf.set(moment, operation));
  return moment => {
    const operation = operationOf.get(moment) ?? -1;
    if (operation < 0 || frame[operation] < 0) return noPlace;
    return placeOfName(strings.get(slices.name[frame[operation]]));
  };
}

/** Returns the kind of a GPU operation, by its row of the slices table. */
export function kindOfRun({slices, strings}: Trace, slice: number): PathKind {
  if (slices.kind[slice] === kindIndex.gpu_memcpy || slices.kind[slice] === kindIndex.gpu_memset) return 'copy';
  return isCommunicationKernel(strings.get(slices.name[slice])) ? 'communication' : 'kernel';
}

function nameOfSlice({slices, strings}: Trace, slice: number): string {
  return strings.get(slices.name[slice]);
}

function nameOfRun({slices, strings}: Trace, slice: number): string {
  const name = strings.get(slices.name[slice]);
  return slices.kind[slice] === kindIndex.kernel ? shortKernelName(name) : name;
}
