import type {Trace} from '../trace/trace.js';
import {AlikeStacks} from './alike-sites.js';
import type {Attribution} from './attribute.js';
import {blockingCalls} from './blocking-calls.js';
import type {Condensed} from './condensed.js';
import {sumsOfKinds, type KindSums} from './kind-sums.js';
import type {StackTree} from './open-ranges.js';
import {spansOfPaths, type PathSpans} from './path-spans.js';

/** Sums over the whole trace, by what a condensed attribution tells apart. */
export interface WholeSums {
  readonly spans: PathSpans;
  /** Sums by kind of site, the last for operations without a site. */
  readonly ofKind: KindSums;
  /** Stacks of paths, and the time of the calls directly inside each that wait for a GPU. */
  readonly blocked: {readonly stacks: StackTree; readonly ns: Float64Array};
}

const known = new WeakMap<Condensed, WholeSums>();

/** Returns the sums of a trace, which are computed once and kept with the condensed attribution. */
export function wholeSums(trace: Trace, attribution: Attribution, whole: Condensed): WholeSums {
  let sums = known.get(whole);
  if (!sums) known.set(whole, (sums = sumsOf(trace, attribution, whole)));
  return sums;
}

function sumsOf(trace: Trace, attribution: Attribution, whole: Condensed): WholeSums {
  return {
    spans: spansOfPaths(trace, attribution, whole.ofRange, whole.paths.length),
    ofKind: sumsOfKinds(trace, attribution, whole),
    blocked: blockedTime(trace, attribution, whole.ofRange),
  };
}

function blockedTime(trace: Trace, attribution: Attribution, ofRange: Uint16Array): WholeSums['blocked'] {
  const {slice, node, stacks} = blockingCalls(trace, attribution);
  const alike = new AlikeStacks();
  const nodeOf = alike.of(stacks, ofRange);
  const ns = new Float64Array(alike.length);
  for (let call = 0; call < slice.length; call++) {
    if (node[call] >= 0) ns[nodeOf[node[call]]] += trace.slices.durationNs[slice[call]];
  }
  return {stacks: alike.finish(), ns};
}
