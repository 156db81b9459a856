import {callerSide, flameKinds, flameName, type FlameGraph} from './flame-graph.js';

/** One caller or callee of a name. */
export interface NeighbourRow {
  /** The name next to it; null for what has none: work without a caller, or work of its own. */
  readonly name: string | null;
  /** Whether it is a kernel, copy or memset. */
  readonly isOperation: boolean;
  /** What it has in common with the name, in the weight's unit. */
  readonly total: number;
  /** GPU operations of it; 0 where the weight is of threads. */
  readonly operations: number;
}

/** Who calls a name, and what it calls: each list adds up to the name's total. */
export interface CallersAndCallees {
  readonly total: number;
  readonly operations: number;
  readonly callers: readonly NeighbourRow[];
  readonly callees: readonly NeighbourRow[];
}

/**
 * Returns the direct callers and callees of the name that a sandwich is of, the largest first.
 *
 * @param graph a flame graph of mode `sandwich`
 * @see docs/metrics.md#flame
 */
export function callersAndCallees(graph: FlameGraph): CallersAndCallees {
  const {nodes} = graph;
  const callers: NeighbourRow[] = [];
  const callees: NeighbourRow[] = [];
  for (let node = 1; node < nodes.length; node++) {
    if (nodes.parent[node] !== 0) continue;
    const side = nodes.side[node] === callerSide ? callers : callees;
    side.push({
      name: flameName(graph, node),
      isOperation: flameKinds[nodes.kind[node]] === 'operation',
      total: nodes.total[node],
      operations: nodes.operations[node],
    });
  }
  const [total] = nodes.total;
  const [operations] = nodes.operations;
  return {
    total,
    operations,
    callers: complete(callers, total, operations),
    callees: complete(callees, total, operations),
  };
}

/** The rows, the largest first, and what of the name is of none of them. */
function complete(rows: readonly NeighbourRow[], total: number, operations: number): NeighbourRow[] {
  const sorted = rows.toSorted((a, b) => b.total - a.total);
  const rest = {
    name: null,
    isOperation: false,
    total: total - rows.reduce((sum, row) => sum + row.total, 0),
    operations: operations - rows.reduce((sum, row) => sum + row.operations, 0),
  };
  return rest.total > 0 ? [...sorted, rest] : sorted;
}
