import {callerSide, type FlameGraph} from './flame-graph.js';

/** What a search has found. */
export interface FlameMatches {
  /** Name → 1 where it fits. */
  readonly isMatch: Uint8Array;
  /** Nodes whose name fits. */
  readonly count: number;
  /** Their total, in the weight's unit; a match inside another one is part of that and counts once. */
  readonly total: number;
}

/** The blocks whose name has `text` in it, in whatever case; none for an empty text. The root is no match. */
export function searchFlame({nodes, names}: FlameGraph, text: string): FlameMatches {
  const wanted = text.toLowerCase();
  const isMatch = Uint8Array.from(names, name => (wanted !== '' && name.toLowerCase().includes(wanted) ? 1 : 0));
  const isInside = new Uint8Array(nodes.length);
  let count = 0;
  let total = 0;
  for (let node = 1; node < nodes.length; node++) {
    const isOwn = isMatch[nodes.name[node]];
    const isBelow = isInside[nodes.parent[node]];
    isInside[node] = isOwn | isBelow;
    if (isOwn === 0) continue;
    count++;
    // Callers stand beside the callees, for the same work.
    if (isBelow === 0 && nodes.side[node] !== callerSide) total += nodes.total[node];
  }
  return {isMatch, count, total};
}
