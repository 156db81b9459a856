import {findStacks, threadScopes} from '../attribution/find-stacks.js';
import {StackTreeBuilder} from '../attribution/open-ranges.js';
import {rowsOfKinds} from '../attribution/rows-of-kinds.js';
import type {Stall} from '../attribution/waiting-calls.js';
import {namesThat} from '../trace/names-that.js';
import type {SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/** The operators that autograd's anomaly mode runs on each gradient, directly inside the node's evaluation. */
const checks = new Set(['aten::isnan', 'aten::_is_any_true', 'aten::item']);
const evaluation = 'autograd::engine::evaluate_function: ';

/**
 * Returns the wall time of the checks of autograd's anomaly mode; `calls` is the number of gradients checked.
 *
 * @see torch/csrc/autograd/engine.cpp: `isnan(output)._is_any_true().item<bool>()`
 */
export function anomalyChecks(trace: Trace, isChosen: (row: number) => boolean): Stall {
  const {slices, strings} = trace;
  const operators = rowsOfKinds(trace, new Set<SliceKind>(['cpu_op']));
  const nameOf = (row: number) => strings.get(slices.name[row]);
  const isCheck = namesThat(trace, name => checks.has(name));
  const found = operators.filter(row => isCheck(row) && isChosen(row));
  if (!found.some(row => nameOf(row) === 'aten::isnan')) return {calls: 0, blockedNs: 0};
  const parents = new Int32Array(operators.length).fill(-1);
  const containers = {rows: operators, ids: null, scopeOfTrack: threadScopes(trace)};
  findStacks(trace, containers, found, new StackTreeBuilder(), parents);
  const placeOf = new Map(Array.from(operators, (row, place) => [row, place]));
  const isEvaluation = namesThat(trace, name => name.startsWith(evaluation));
  let [calls, blockedNs] = [0, 0];
  for (const row of found) {
    const parent = parents[placeOf.get(row) ?? -1] ?? -1;
    if (parent < 0 || !isEvaluation(operators[parent])) continue;
    if (nameOf(row) === 'aten::isnan') calls++;
    blockedNs += slices.durationNs[row];
  }
  return {calls, blockedNs: calls === 0 ? 0 : blockedNs};
}
