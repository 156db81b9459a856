import {findStacks, threadScopes} from '../../core/attribution/find-stacks.js';
import {StackTreeBuilder} from '../../core/attribution/open-ranges.js';
import type {ReportDetails} from '../../core/figures/report-details.js';
import {laneIndex} from '../../core/layout/lane-index.js';
import type {OperatorCost} from '../../core/roofline/cost-formula.js';
import {operatorCost} from '../../core/roofline/operator-cost.js';
import {attributionOf} from '../../core/scope/attribution-of.js';
import {orNull} from '../../core/table/or-null.js';
import {sliceKinds} from '../../core/trace/slices.js';
import type {Trace} from '../../core/trace/trace.js';
import type {Texts} from '../texts.js';
import {sliceColumns, type Beside, type TableRows} from './table-source.js';

export function sliceRows(trace: Trace, texts: Texts): TableRows {
  const {slices} = trace;
  return {
    length: slices.length,
    columns: {
      ...sliceColumns(trace, texts, row => row),
      id: () => row => row,
      parent_id: () => {
        const parents = parentSlices(trace);
        return row => orNull(parents[row]);
      },
      kind: () => row => sliceKinds[slices.kind[row]],
      lane: () => {
        const {laneOf} = laneIndex(trace);
        return row => laneOf[row];
      },
    },
  };
}

/** Slice → the shortest slice around it on its track, -1 for none. */
function parentSlices(trace: Trace): Int32Array {
  const {length} = trace.slices;
  const parents = new Int32Array(length).fill(-1);
  const rows = new Int32Array(length);
  for (let row = 0; row < length; row++) rows[row] = row;
  const containers = {rows, ids: null, scopeOfTrack: threadScopes(trace)};
  findStacks(trace, containers, new Int32Array(0), new StackTreeBuilder(), parents);
  return parents;
}

export function apiCallRows(trace: Trace, texts: Texts): TableRows {
  const {apiCalls, slices, processes} = trace;
  const {slice, process, correlation} = apiCalls;
  return {
    length: apiCalls.length,
    columns: {
      ...sliceColumns(trace, texts, row => slice[row]),
      id: () => row => row,
      kind: () => row => sliceKinds[slices.kind[slice[row]]],
      pid: () => row => processes[process[row]]?.pid ?? null,
      correlation_id: () => row => orNull(correlation[row]),
      gpu_operations: () => {
        const count = new Int32Array(apiCalls.length);
        for (const call of attributionOf(trace).sites.callOf) if (call >= 0) count[call]++;
        return row => count[row];
      },
    },
  };
}

export function operatorRows(trace: Trace, texts: Texts, {details}: Pick<Beside, 'details'>): TableRows {
  const {slice, externalId, sequence, forwardThread, length} = trace.operators;
  return {
    length,
    columns: {
      ...sliceColumns(trace, texts, row => slice[row]),
      external_id: () => row => orNull(externalId[row]),
      sequence_number: () => row => orNull(sequence[row]),
      forward_thread: () => row => orNull(forwardThread[row]),
      ...shapeColumns(trace, details),
    },
  };
}

/** The figures from the shapes of an operator's inputs; null if none were recorded. */
function shapeColumns({operators, slices, strings}: Trace, {shapes}: ReportDetails): TableRows['columns'] {
  const {slice} = operators;
  const inputsOf = (row: number) => shapes?.get(slice[row]) ?? null;
  const ofCost = (value: (cost: OperatorCost) => number) => () => (row: number) => {
    const inputs = inputsOf(row);
    const cost = inputs && operatorCost(strings.get(slices.name[slice[row]]), inputs);
    return cost && value(cost);
  };
  return {
    input_dims: () => row => jsonOrNull(inputsOf(row)?.dims),
    input_types: () => row => jsonOrNull(inputsOf(row)?.types),
    flop: ofCost(({flops}) => flops.matrix + flops.vector),
    moved_bytes: ofCost(({bytes}) => bytes),
  };
}

const jsonOrNull = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
