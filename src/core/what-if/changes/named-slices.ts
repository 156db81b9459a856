import {shortKernelName} from '../../names/short-kernel-name.js';
import {getOrAdd} from '../../table/get-or-add.js';
import {gpuOperationKinds, kindMask, sliceKinds} from '../../trace/slices.js';
import type {Trace} from '../../trace/trace.js';

/** The slices that a name matches. */
export interface NamedSlices {
  /** Slices of threads, ascending. */
  readonly ofThreads: readonly number[];
  /** GPU operations. */
  readonly operations: readonly number[];
}

const isOnGpu = kindMask(gpuOperationKinds);
const isRange = kindMask(
  new Set(
    sliceKinds.filter(kind => !gpuOperationKinds.has(kind) && kind !== 'gpu_user_annotation' && kind !== 'cuda_sync'),
  ),
);

/**
 * Returns the slices with a name. If there are none, returns those whose name matches it: a short kernel name; a path
 * that ends with the name, or a Python frame `file(line): function` for `file:line` or `function`; a numbered name
 * without its number; a part of a name.
 */
export function namedSlices(trace: Trace, wanted: string): NamedSlices {
  const {slices, strings, gpuOperations, tracks} = trace;
  const rank = new Uint8Array(strings.length);
  let best = tests.length;
  for (let name = 0; name < strings.length; name++) {
    const text = strings.get(name);
    const found = tests.findIndex(test => test(text, wanted));
    rank[name] = found < 0 ? tests.length : found;
  }
  const used = new Map<number, number[]>();
  for (let row = 0; row < slices.length; row++) {
    const at = rank[slices.name[row]];
    if (at === tests.length || at > best) continue;
    const isThreads = isRange[slices.kind[row]] === 1 && tracks[slices.track[row]].kind === 'thread';
    if (!isThreads && isOnGpu[slices.kind[row]] === 0) continue;
    best = at;
    getOrAdd(used, at, () => []).push(row);
  }
  const rows = new Set(best < tests.length ? used.get(best) : []);
  const operations: number[] = [];
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (rows.delete(gpuOperations.slice[operation])) operations.push(operation);
  }
  return {ofThreads: [...rows], operations};
}

/** From the most to the least reliable. */
const tests: readonly ((text: string, wanted: string) => boolean)[] = [
  (text, wanted) => text === wanted,
  (text, wanted) => text.length > wanted.length && text.includes('<') && shortKernelName(text) === wanted,
  (text, wanted) => text.endsWith(`/${wanted}`) || text.endsWith(`\\${wanted}`),
  (text, wanted) => isFrame(text, wanted),
  (text, wanted) => text.startsWith(wanted) && /^[#_ :]*\d+$/.test(text.slice(wanted.length)),
  (text, wanted) => wanted.length >= 3 && text.includes(wanted),
];

function isFrame(text: string, wanted: string): boolean {
  const frame = /^(.*)\((\d+)\): (.*)$/.exec(text);
  if (!frame) return /^<built-in (?:function|method) (\S+)/.exec(text)?.[1] === wanted;
  const [, path, line, name] = frame;
  const place = `${path}:${line}`;
  return name === wanted || place === wanted || place.endsWith(`/${wanted}`);
}
