/** For each operation of a replay, its node in a captured graph; -1 if unknown. */
export type Alignment = Int32Array;

/** Returns whether an operation can be a node, given what is known of both. */
type Fits = (operation: number, node: number) => boolean;

/** If a replay and a capture differ in length, more pairs than this are not compared. */
const mostPairs = 16_000_000;

/** A replay matches a capture of another length only if this share of the longer one has a partner. */
const leastShare = 0.95;

/**
 * Returns the node of each operation. Operations and nodes are in the same order.
 *
 * If the lengths are equal, each operation is matched with the node at its position, and all must fit. Otherwise the
 * longest common subsequence is used, and an operation has a partner only if it has the same one in every longest
 * subsequence: if two of three identical operations were captured, the new one cannot be identified.
 *
 * @returns null if they do not match
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

/** Returns the partners that all longest common subsequences agree on; null if these are shorter than `least`. */
function commonNodes(operations: number, nodes: number, fits: Fits, least: number): Alignment | null {
  const width = nodes + 1;
  const ahead = lengthsAhead(operations, nodes, fits);
  const total = ahead[0];
  if (total < least) return null;
  const partner = new Int32Array(operations);
  // Node → length of the longest common subsequence of the operations before this one and the nodes before that node.
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

/** Returns the node that an operation has in every longest common subsequence; -1 for none. */
function onlyPartner(before: Int32Array, after: Int32Array, total: number, fits: (node: number) => boolean): number {
  let partner = -1;
  for (let node = 0; node < before.length; node++) {
    // One of the subsequences skips the operation.
    if (before[node] + after[node] === total) return -1;
    if (node + 1 === before.length || !fits(node) || before[node] + 1 + after[node + 1] !== total) continue;
    if (partner >= 0) return -1;
    partner = node;
  }
  return partner;
}

/** Returns, for each operation and node, the length of the longest common subsequence from there on. */
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
