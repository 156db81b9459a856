import {instantKinds} from '../trace/instants.js';
import {sliceKinds, type SliceKind} from '../trace/slices.js';
import {StringTable} from '../table/string-table.js';
import type {Trace} from '../trace/trace.js';

/** How names are written: unchanged, as a hash of each, or only the kind of the named object. */
export const namesWritten = ['keep', 'hash', 'drop'] as const;
export type NamesWritten = (typeof namesWritten)[number];

/**
 * Returns a trace whose texts reveal nothing about the program: a name is the kind of the named object with a hash, or
 * only the kind. Threads, processes and counters are numbered. GPU models keep their names. So do the profiler's words
 * by which figures recognise steps, API calls, copies, modules and autograd's operators.
 *
 * @param hash hash function of a text; null to drop names
 * @see docs/formats.md#exports
 */
export function withoutNames(trace: Trace, hash: ((text: string) => string) | null): Trace {
  const strings = new StringTable();
  const {slices, instants} = trace;
  const hidden = (names: ArrayLike<number>, kinds: ArrayLike<number>, kindNames: readonly string[]) => {
    const known = new Map<number, number>();
    return Int32Array.from({length: names.length}, (_, row) => {
      const key = names[row] * kindNames.length + kinds[row];
      let index = known.get(key);
      if (index === undefined) {
        index = strings.intern(hiddenName(trace.strings.get(names[row]), kindNames[kinds[row]], hash));
        known.set(key, index);
      }
      return index;
    });
  };
  return {
    ...trace,
    strings,
    domainOfName: new Map(),
    processes: trace.processes.map((_, index) => ({pid: String(index + 1), name: 'process'})),
    tracks: trace.tracks.map((track, index) => ({...track, name: `${track.kind} ${String(index + 1)}`})),
    counters: trace.counters.map((counter, index) => ({...counter, name: `counter ${String(index + 1)}`})),
    slices: {...slices, name: hidden(slices.name, slices.kind, sliceKinds)},
    instants: {...instants, name: hidden(instants.name, instants.kind, instantKinds)},
  };
}

/** Words of profilers: steps, and autograd's work at the end of a backward pass. */
const profilersWord =
  /^(?:ProfilerStep#\d+|(?:autograd::engine::evaluate_function: )?torch::autograd::AccumulateGrad|\[(?:memory|OutOfMemory)\])$/;
/** Names that a library of NVIDIA or AMD gives to a kind of slice. */
const librarysName: Partial<Record<string, RegExp>> = {
  cuda_runtime: /^(?:cuda|hip)[A-Z]\w*$/,
  cuda_driver: /^(?:cu|hip)[A-Z]\w*$/,
  gpu_memcpy: /^Memcpy (?:[HDP]to[HDP]|PtoP|Unknown)(?: \([A-Z][a-z]+ -> [A-Z][a-z]+\))?$/,
  gpu_memset: /^Memset(?: \([A-Z][a-z]+\))?$/,
} satisfies Partial<Record<SliceKind, RegExp>>;

function hiddenName(text: string, kind: string, hash: ((text: string) => string) | null): string {
  if (text === '' || profilersWord.test(text) || librarysName[kind]?.test(text)) return text;
  const [, prefix = '', own = '', backward = '', numbers = ''] = nameParts.exec(text) ?? [];
  const name = hash === null ? kind : `${kind}_${hash(own + backward)}`;
  return `${prefix}${name}${backward === '' ? '' : `_${backward}`}${numbers}`;
}

/** The parts that a profiler adds before and after a name; shapes and anything else after it are dropped. */
const nameParts =
  /^(nn\.Module: |autograd::engine::evaluate_function: )?(.*?)(Backward\d*)?(?:((?:, (?:seq|op_id) = \d+)+)(?=,|$).*)?$/s;
