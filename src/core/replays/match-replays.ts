import {alignNodes, type Alignment} from './align-nodes.js';

/** Replays or captured graphs to compare. Identical ones have the same number. */
export interface GraphSequence {
  /** By position: replays in the order of their launches, graphs in the order of their captures. */
  readonly kindOf: Int32Array;
  /** Kind → number of operations or nodes. */
  readonly lengths: readonly number[];
}

/** The captured graph of a replay, and the node of each of its operations. */
export interface ReplayMatch {
  readonly graph: number;
  readonly nodes: Alignment;
}

export interface ReplayMatches {
  /** By replay; null if no graph matches, or if several from different calls match equally well. */
  readonly matches: readonly (ReplayMatch | null)[];
  /** The number of replays that match several graphs. */
  readonly ambiguous: number;
}

/**
 * Finds the captured graph of each replay.
 *
 * A replay matches a graph if its operations do. If several graphs match, such as the graphs of identical layers, the
 * order decides: graphs are replayed in the order of their captures, so the graph is the one in the longest run of
 * replays that match consecutive graphs.
 *
 *     captured   A  B  B  C            the second B of the replays is the second one captured
 *     replayed         B  C  A  B  B  C
 *
 * @param fits returns whether an operation of a kind of replay can be a node of a kind of graph
 * @param isSame returns whether two graphs come from the same calls, so that either can be used
 */
export function matchReplays(
  replays: GraphSequence,
  graphs: GraphSequence,
  fits: (replayKind: number, graphKind: number, operation: number, node: number) => boolean,
  isSame: (graph: number, other: number) => boolean,
): ReplayMatches {
  const aligned = new Map<number, Alignment | null>();
  const runs = longestRuns(
    replays.kindOf.length,
    graphs.kindOf.length,
    (replay, graph) => {
      return alignment(replay, graph) !== null;
    },
    isSame,
  );
  let ambiguous = 0;
  const matches = Array.from(runs.graph, (graph, replay) => {
    const nodes = graph < 0 ? null : alignment(replay, graph);
    if (!nodes) return null;
    if (runs.isAmbiguous[replay] === 0) return {graph, nodes};
    ambiguous++;
    return null;
  });
  return {matches, ambiguous};

  function alignment(replay: number, graph: number): Alignment | null {
    const replayKind = replays.kindOf[replay];
    const graphKind = graphs.kindOf[graph];
    const key = replayKind * graphs.lengths.length + graphKind;
    let found = aligned.get(key);
    if (found === undefined) {
      found = alignNodes(replays.lengths[replayKind], graphs.lengths[graphKind], (operation, node) =>
        fits(replayKind, graphKind, operation, node),
      );
      aligned.set(key, found);
    }
    return found;
  }
}

/**
 * Returns, for each replay, the graph in the longest run, -1 for none, and whether another graph, from other calls, is
 * in an equally long one.
 */
function longestRuns(
  replays: number,
  graphs: number,
  doFit: (replay: number, graph: number) => boolean,
  isSame: (graph: number, other: number) => boolean,
): {graph: Int32Array; isAmbiguous: Uint8Array} {
  const graph = new Int32Array(replays).fill(-1);
  const length = new Int32Array(replays);
  const isAmbiguous = new Uint8Array(replays);
  for (let diagonal = 1 - replays; diagonal < graphs; diagonal++) {
    const first = Math.max(0, -diagonal);
    const end = Math.min(replays, graphs - diagonal);
    for (let from = first; from < end;) {
      let to = from;
      while (to < end && doFit(to, to + diagonal)) to++;
      for (let replay = from; replay < to; replay++) take(replay, replay + diagonal, to - from);
      from = to + 1;
    }
  }
  return {graph, isAmbiguous};

  function take(replay: number, candidate: number, run: number): void {
    if (run < length[replay]) return;
    if (run > length[replay]) {
      length[replay] = run;
      graph[replay] = candidate;
      isAmbiguous[replay] = 0;
    } else if (!isSame(candidate, graph[replay])) isAmbiguous[replay] = 1;
  }
}
