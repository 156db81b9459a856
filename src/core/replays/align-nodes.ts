/** Which node of a captured graph each operation of a replay is, -1 where that cannot be told. */
export type Alignment = Int32Array;

/** Whether an operation can be a node by what is known of both. */
type Fits = (operation: number, node: number) => boolean;

/** More pairs than this are not compared when a replay and a capture differ in length. */
const mostPairs = 16_000_000;

/** A replay fits a capture of another length only if this share of the longer one has a partner. */
const leastShare = 0.95;

/**
 * The node of each operation, where operations and nodes have the same order.
 *
 * Of one length, each is its counterpart's, and all must fit. Else it is the longest common subsequence, and only an
 * operation that has the same partner in every longest one has a partner: of three alike of which two were captured,
 * nobody can tell which one is new.
 *
 * @returns null where they do not fit
 */
export function alignNodes(operations: number, nodes: number, fits: Fits): Alignment | null {
  if (operations === nodes) {
    for (let at = 0; at < nodes; at++) if (!fits(at, at)) return null;
    return Int32Array.from({length: nodes}, (_, at) => at);
  }
  const longer = Math.max(operations, nodes);
  if (Math.min(operations, nodes) < leastShare * longer || operations * nodes > mostPairs) return null;
  return commonNodes(operations, nodes, fits, leastShare * longer);
}

/** The partners that all longest common subsequences agree on; null where those are shorter than `least`. */
function commonNodes(operations: number, nodes: number, fits: Fits, least: number): Alignment | null {
  const width = nodes + 1;
  const ahead = lengthsAhead(operations, nodes, fits);
  const total = ahead[0];
  if (total < least) return null;
  const partner = new Int32Array(operations);
  // Node → length of the longest common subsequence of the operations before this one and the nodes before that one.
  let before = new Int32Array(width);
  for (let operation = 0; operation < operations; operation++) {
    const after = ahead.subarray((operation + 1) * width, (operation + 2) * width);
    partner[operation] = onlyPartner(before, after, total, node => fits(operation, node));
    const upTo = new Int32Array(width);
    for (let node = 0; node < nodes; node++) {
      upTo[node + 1] = Math.max(upTo[node], before[node + 1], fits(operation, node) ? before[node] + 1 : 0);
    }
    before = upTo;
  }
  return partner;
}

/** The node that an operation has in every longest common subsequence, -1 for none. */
function onlyPartner(before: Int32Array, after: Int32Array, total: number, fits: (node: number) => boolean): number {
  let partner = -1;
  for (let node = 0; node < before.length; node++) {
    // One of them passes over the operation.
    if (before[node] + after[node] === total) return -1;
    if (node + 1 === before.length || !fits(node) || before[node] + 1 + after[node + 1] !== total) continue;
    if (partner >= 0) return -1;
    partner = node;
  }
  return partner;
}

/** Operation and node → length of the longest common subsequence from there on. */
function lengthsAhead(operations: number, nodes: number, fits: Fits): Int32Array {
  const width = nodes + 1;
  const ahead = new Int32Array((operations + 1) * width);
  for (let operation = operations - 1; operation >= 0; operation--) {
    for (let node = nodes - 1; node >= 0; node--) {
      const skipped = Math.max(ahead[(operation + 1) * width + node], ahead[operation * width + node + 1]);
      const taken = fits(operation, node) ? ahead[(operation + 1) * width + node + 1] + 1 : 0;
      ahead[operation * width + node] = Math.max(skipped, taken);
    }
  }
  return ahead;
}
