import {callerSide, type FlameGraph} from './flame-graph.js';

/** What a search has found. */
export interface FlameMatches {
  /** Name → 1 where it fits. */
  readonly isMatch: Uint8Array;
  /** Nodes whose name fits. */
  readonly count: number;
  /**
   * Their total, in the weight's unit; a match inside another one is part of that and counts once. In a sandwich that of
   * the callees, and of the callers where no callee fits: they stand beside them for the same work.
   */
  readonly total: number;
}

/** The blocks whose name has `text` in it, in whatever case; none for an empty text. The root is no match. */
export function searchFlame({nodes, names}: FlameGraph, text: string): FlameMatches {
  const wanted = text.toLowerCase();
  const isMatch = Uint8Array.from(names, name => (wanted !== '' && name.toLowerCase().includes(wanted) ? 1 : 0));
  const isInside = new Uint8Array(nodes.length);
  let count = 0;
  let ofCallees = 0;
  let ofCallers = 0;
  let calleeCount = 0;
  for (let node = 1; node < nodes.length; node++) {
    const isOwn = isMatch[nodes.name[node]];
    const isBelow = isInside[nodes.parent[node]];
    isInside[node] = isOwn | isBelow;
    if (isOwn === 0) continue;
    count++;
    const isCaller = nodes.side[node] === callerSide;
    if (!isCaller) calleeCount++;
    if (isBelow === 1) continue;
    if (isCaller) ofCallers += nodes.total[node];
    else ofCallees += nodes.total[node];
  }
  return {isMatch, count, total: calleeCount > 0 ? ofCallees : ofCallers};
}
