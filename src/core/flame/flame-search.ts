import {callerSide, type FlameGraph} from './flame-graph.js';

/** The results of a search. */
export interface FlameMatches {
  /** Name → 1 if it matches. */
  readonly isMatch: Uint8Array;
  /** Number of nodes whose name matches. */
  readonly count: number;
  /**
   * Their total, in the weight's unit. A match inside another one is part of it and does not count again. In a
   * sandwich, the total of the callees, or of the callers if no callee matches: both represent the same work.
   */
  readonly total: number;
}

/** Returns the blocks whose name contains `text`, ignoring case; none for an empty text. The root never matches. */
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
