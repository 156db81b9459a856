import {moduleOfRange} from '../source/module-forward.js';
import {derived, derivedKey} from '../trace/derived.js';
import type {SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {rowsOfKinds} from './rows-of-kinds.js';

/**
 * Kinds of slices that can be a module's call: PyTorch's own, the runner's, and the ranges that the runner writes for
 * nsys.
 */
const kindsOfCalls: ReadonlySet<SliceKind> = new Set<SliceKind>(['module', 'nvtx_pushpop', 'user_annotation']);

const callsOfModulesKey = derivedKey<Int32Array>('calls of modules');

/**
 * Returns the rows of the slices that are calls of modules, ascending, each call once.
 *
 * PyTorch's Python stacks number the modules of a class (`nn.Module: Linear_3`); the runner names the place of each
 * module in the model's tree (`nn.Module: Net.layers.3`). If a trace has both, the runner's calls are taken.
 *
 * @see docs/metrics.md#modules-sum
 */
export function moduleCalls(trace: Trace): Int32Array {
  return derived(trace, callsOfModulesKey, () => findCalls(trace));
}

function findCalls(trace: Trace): Int32Array {
  const {slices, strings} = trace;
  const candidates = rowsOfKinds(trace, kindsOfCalls);
  const nameOf = new Map<number, string>();
  const isKnown = new Uint8Array(strings.length);
  const rows: number[] = [];
  for (let at = 0; at < candidates.length; at++) {
    const row = candidates[at];
    const name = slices.name[row];
    if (isKnown[name] === 0) {
      const module = moduleOfRange(strings.get(name));
      if (module !== null) nameOf.set(name, module);
      isKnown[name] = 1;
    }
    if (nameOf.has(name)) rows.push(row);
  }
  const isPath = pathTest([...nameOf.values()]);
  const paths = new Set([...nameOf].filter(([, module]) => isPath(module)).map(([name]) => name));
  return Int32Array.from(paths.size === 0 ? rows : rows.filter(row => paths.has(slices.name[row])));
}

/**
 * Returns a test that tells names given by the runner from names in Python stacks. A class may be called `Net_2`: the
 * names of modules inside it then begin with it.
 *
 * @param modules all names of modules in a trace
 */
export function pathTest(modules: readonly string[]): (module: string) => boolean {
  const roots = new Set(modules.filter(name => name.includes('.')).map(name => name.slice(0, name.indexOf('.'))));
  return module => module.includes('.') || roots.has(module) || !/_\d+$/.test(module);
}
