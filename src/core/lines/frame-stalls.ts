import {findStacks, threadScopes} from '../attribution/find-stacks.js';
import {StackTreeBuilder} from '../attribution/open-ranges.js';
import {rowsOfKinds} from '../attribution/rows-of-kinds.js';
import type {WaitingCalls} from '../attribution/waiting-calls.js';
import {parsePythonFrame} from '../source/python-frame.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {isUserFrame} from '../figures/operation-origins.js';

/** The CPU time that a function of the user's code spent waiting in callees of one name. */
export interface FrameStall {
  /** As in the profile. */
  readonly file: string;
  readonly functionName: string;
  /** `item`, `cpu`, `print`: the callee in which a thread waited. */
  readonly called: string;
  readonly calls: number;
  readonly blockedNs: number;
}

/**
 * Returns waiting calls by the innermost function of the user's code around them, and by its callee. PyTorch's stacks
 * do not show the line within the function.
 */
export function frameStalls(
  trace: Trace,
  {slice, isSameWait}: WaitingCalls,
  isChosen: (row: number) => boolean,
): readonly FrameStall[] {
  const {slices, strings} = trace;
  const rows = rowsOfKinds(trace, new Set<SliceKind>(['python_function']));
  if (rows.length === 0) return [];
  const tree = new StackTreeBuilder();
  const {node} = findStacks(trace, {rows, ids: null, scopeOfTrack: threadScopes(trace)}, slice, tree);
  const {range, parent} = tree.finish();
  const nameAt = (at: number) => strings.get(slices.name[rows[range[at]]]);
  const stalls = new Map<string, FrameStall & {calls: number; blockedNs: number}>();
  for (let call = 0; call < slice.length; call++) {
    if (!isChosen(slice[call])) continue;
    let [at, below] = [node[call], -1];
    for (; at >= 0 && !isUserFrame(nameAt(at)); at = parent[at]) below = at;
    const frame = at < 0 ? null : parsePythonFrame(nameAt(at));
    const called = below < 0 ? null : calledName(nameAt(below));
    if (!frame || called === null) continue;
    const [file, functionName] = [frame.path, frame.name];
    const none = () => ({file, functionName, called, calls: 0, blockedNs: 0});
    const stall = getOrAdd(stalls, JSON.stringify([file, functionName, called]), none);
    stall.calls += 1 - isSameWait[call];
    stall.blockedNs += slices.durationNs[slice[call]];
  }
  return [...stalls.values()].sort((a, b) => b.blockedNs - a.blockedNs);
}

/**
 * Returns a callee's name: `item` for `<built-in method item of Tensor object at 0x7f50>`, `__format__` for
 * `torch/_tensor.py(1): __format__`.
 */
function calledName(frame: string): string | null {
  return /^<built-in (?:method|function) (\w+)/.exec(frame)?.[1] ?? parsePythonFrame(frame)?.name ?? null;
}
