import {say} from '../../base/say.js';
import {greatest} from '../../table/extremes.js';
import type {Trace, TraceNote} from '../../trace/trace.js';
import {pathOperations, type PathOperation} from './path-operations.js';
import {pathShares, pathSharers, type PathShare, type PathSharer} from './path-shares.js';
import {recordedPath} from './recorded-path.js';
import {recordedWindow} from './recorded-window.js';

/** The facts about a recorded critical path; whole ns. */
export interface PathAnswer {
  /** Its window: `step 5`. */
  readonly window: string;
  /** From its start to its own end, or to the end of the last operation launched in it. */
  readonly windowNs: number;
  readonly pathNs: number;
  /** Counts on the path: operators, API calls and GPU operations; their starts and ends; the edges between those. */
  readonly events: number;
  readonly nodes: number;
  readonly edges: number;
  readonly shares: Readonly<Record<PathSharer, readonly PathShare[]>>;
  readonly operations: readonly PathOperation[];
  readonly notes: readonly TraceNote[];
}

/**
 * Answers for a step, a range or the usual step.
 *
 * @throws TraceError `selection/no-match` @see docs/metrics.md#recorded-path
 */
export function pathAnswer(trace: Trace, step: number | null, range: string | null): PathAnswer {
  const window = recordedWindow(trace, step, range);
  const path = recordedPath(trace, window);
  const edges = path.pieces.length;
  const shares = Object.fromEntries(pathSharers.map(by => [by, pathShares(trace, path, by)]));
  return {
    window: window.text,
    windowNs: Math.round(Math.max(window.toNs, greatest(path.graph.moments.measuredNs)) - window.fromNs),
    pathNs: Math.round(path.ns),
    ...{events: path.slices.length, nodes: edges === 0 ? 0 : edges + 1, edges},
    shares: shares as Record<PathSharer, PathShare[]>,
    operations: pathOperations(trace, path),
    notes:
      edges > 0
        ? []
        : [{code: 'path/nothing', text: say('Nothing was recorded in {0} that a path could go through.', window.text)}],
  };
}
