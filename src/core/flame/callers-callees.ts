import {callerSide, flameKinds, flameName, type FlameGraph} from './flame-graph.js';

/** One caller or callee of a name. */
export interface NeighbourRow {
  /** The neighbouring name; null for work without a caller, or for the name's own work. */
  readonly name: string | null;
  /** Whether it is a kernel, copy or memset. */
  readonly isOperation: boolean;
  /** The weight that it shares with the name, in the weight's unit. */
  readonly total: number;
  /** Number of its GPU operations; 0 if the weight is a thread's. */
  readonly operations: number;
}

/** The callers and callees of a name. Each list adds up to the name's total. */
export interface CallersAndCallees {
  readonly total: number;
  readonly operations: number;
  readonly callers: readonly NeighbourRow[];
  readonly callees: readonly NeighbourRow[];
}

/**
 * Returns the direct callers and callees of a sandwich's name, the largest first.
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

/** Returns the rows, the largest first, and a row for the rest of the name's total. */
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
