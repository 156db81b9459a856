import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {greatest, least} from '../../table/extremes.js';
import type {Trace} from '../../trace/trace.js';
import {byBound, factorOf, type Bound, type ChangeEffect, type ChangeKind} from './change.js';
import {workClasses, type WorkClass} from './kernel-types.js';
import {fuseOperators} from './fuse-operators.js';
import {launchedIn} from './launched-in.js';
import {namedSlices, type NamedSlices} from './named-slices.js';
import {namedWork, nothingCalled, splitName} from './named-work.js';
import type {ReplayPlan} from './replay-plan.js';

/** Fuses consecutive elementwise kernels. */
export const fuse: ChangeKind = {
  word: 'fuse',
  usage: 'fuse=NAME',
  meaning:
    'elementwise kernels that follow each other in ranges or operators called NAME become one kernel; *: anywhere',
  make: name => {
    if (name === '') return 'needs the name of a range or an operator';
    return (plan, bound) => fuseChains(plan, bound, name);
  },
};

function fuseChains(plan: ReplayPlan, bound: Bound, name: string): ChangeEffect {
  const {trace, replay} = plan;
  const isAnywhere = name === '*' && trace.gpuOperations.length > 0;
  const {ofThreads, operations} = isAnywhere ? allOperations(trace) : namedSlices(trace, name);
  if (ofThreads.length + operations.length === 0) return nothingCalled(name);
  if (trace.gpuOperations.length === 0) return fuseOperators(plan, bound, ofThreads);
  const inside = new Set([...operations, ...launchedIn(trace, replay, ofThreads)]);
  const chains = chainsOf(trace, operation => inside.has(operation)).filter(({length}) => length > 1);
  if (chains.length === 0) {
    if (name === '*') return {unknown: say('no elementwise kernels of similar size follow each other')};
    return {unknown: say('no elementwise kernels of similar size follow each other in "{0}"', name)};
  }
  for (const chain of chains) {
    const durations = chain.map(operation => durationOf(trace, operation));
    const sumNs = durations.reduce((sum, ns) => sum + ns, 0);
    const longestNs = greatest(durations);
    // A fused kernel reads each input and writes each output once: it takes at least its longest part, and seldom the
    // sum.
    const fusedNs = Math.min(sumNs, byBound(bound, 1.25 * longestNs, longestNs, 0.75 * sumNs));
    for (const operation of chain) plan.scaleOperation(operation, sumNs > 0 ? fusedNs / sumNs : 1);
  }
  dropLaunches(plan, new Set(chains.flatMap(chain => chain.slice(1))));
  const kernels = chains.reduce((sum, {length}) => sum + length, 0);
  return {
    basis: say(
      '{0} in {1}: each chain becomes one kernel that takes 1.25 times as long as its longest one (at best, as long as the longest; at worst, three quarters of their sum)',
      counted(kernels, '{0} elementwise kernel', '{0} elementwise kernels'),
      counted(chains.length, '{0} chain', '{0} chains'),
    ),
  };
}

function allOperations({gpuOperations}: Trace): NamedSlices {
  return {ofThreads: [], operations: Array.from(gpuOperations.slice.keys())};
}

/** Removes the launching calls of operations, and the gaps before them. */
function dropLaunches(plan: ReplayPlan, wanted: ReadonlySet<number>): void {
  const {replay} = plan;
  replay.calls.forEach((call, at) => {
    if (call.operations.length === 0 || !call.operations.every(operation => wanted.has(operation))) return;
    for (const dependency of plan.dependenciesInto(replay.callEnd[at], 'cpu')) plan.ns[dependency] = 0;
  });
  for (const operation of wanted) {
    for (const dependency of plan.dependenciesInto(replay.operationStart[operation], 'stream')) {
      plan.ns[dependency] = Math.min(0, plan.ns[dependency]);
    }
  }
}

/** Returns chains of consecutive elementwise operations on a stream, among the included operations. */
function chainsOf(trace: Trace, isIn: (operation: number) => boolean): number[][] {
  const classes = workClasses(trace);
  return byStream(trace).flatMap(operations => {
    const chains: number[][] = [];
    let open: number[] | null = null;
    for (const operation of operations) {
      const isElementwise = classes[operation] === 'elementwise' && isIn(operation);
      // A different size means a different tensor.
      if (!isElementwise || (open && !isAlike(trace, open[open.length - 1], operation))) open = null;
      if (!isElementwise) continue;
      if (!open || open.length === longestChain) chains.push((open = []));
      open.push(operation);
    }
    return chains;
  });
}

/** Longer chains of the same size are loops over tensors rather than one expression. */
const longestChain = 8;

function isAlike(trace: Trace, a: number, b: number): boolean {
  const [first, second] = [durationOf(trace, a), durationOf(trace, b)];
  return first <= 2 * second && second <= 2 * first;
}

/** Computes attention in one kernel. */
export const attention: ChangeKind = {
  word: 'attention',
  usage: 'attention=fused[:NAME]',
  meaning:
    'softmax and elementwise kernels between two products of attention are part of one fused kernel; with NAME: those of it',
  make: value => {
    const [how, name] = splitName(value);
    return how === 'fused' ? (plan, bound) => fuseAttention(plan, bound, name) : `takes fused, not "${how}"`;
  },
};

/**
 * At most this many kernels may be between the products of attention: scaling, a mask, a softmax, dropout, casts, in
 * both passes.
 */
const mostBetween = 12;
const between: ReadonlySet<WorkClass> = new Set<WorkClass>([
  'softmax',
  'elementwise',
  'copy',
  'device copy',
  'reduction',
  'other',
]);

function fuseAttention(plan: ReplayPlan, bound: Bound, name: string): ChangeEffect {
  const {trace} = plan;
  const work = namedWork(plan, name);
  if (!work) return nothingCalled(name);
  const classes = workClasses(trace);
  let parts = 0;
  for (const operations of byStream(trace)) {
    let open: number[] | null = null;
    for (const operation of operations) {
      const kind = classes[operation];
      if (kind === 'matrix product') {
        if (open && open.length <= mostBetween && open.some(one => classes[one] === 'softmax' && work.has(one))) {
          parts++;
          for (const one of open) plan.scaleOperation(one, byBound(bound, 0.1, 0, 0.4));
        }
        open = [];
      } else if (between.has(kind)) open?.push(operation);
      else open = null;
    }
  }
  if (parts === 0)
    return {
      unknown: say('no softmax is between two matrix products: attention is already fused, or there is none'),
    };
  return {
    basis: counted(
      parts,
      'in {0} place, the kernels between two matrix products keep 10 % of their time (at best none, at worst 40 %). Matrix products do not change',
      'in {0} places, the kernels between two matrix products keep 10 % of their time (at best none, at worst 40 %). Matrix products do not change',
    ),
  };
}

/** Overlaps communication with computation. */
export const overlapCommunication: ChangeKind = {
  word: 'overlap-communication',
  usage: 'overlap-communication',
  meaning: 'no computation waits for communication, which has to be done by the end of the step alone',
  make: value => (value === '' ? overlap : 'takes no value'),
};

function overlap(plan: ReplayPlan, bound: Bound): ChangeEffect {
  const {trace, replay} = plan;
  const classes = workClasses(trace);
  const isCommunication = (operation: number) => classes[operation] === 'communication';
  const all = classes.flatMap((kind, operation) => (kind === 'communication' ? [operation] : []));
  if (all.length === 0) return {unknown: say('the profile has no communication')};
  const basis = counted(
    all.length,
    '{0} communication kernel: nothing else waits for it (at worst, nothing changes)',
    '{0} communication kernels: nothing else waits for them (at worst, nothing changes)',
  );
  if (bound === 'most') return {basis};
  const ends = new Set(all.map(operation => replay.operationEnd[operation]));
  const {from} = replay.graph.dependencies;
  replay.operationStart.forEach((moment, operation) => {
    if (isCommunication(operation)) return;
    for (const kind of ['event', 'stream'] as const) {
      for (const dependency of plan.dependenciesInto(moment, kind)) {
        if (ends.has(from[dependency])) plan.ns[dependency] = -Infinity;
      }
    }
  });
  return {basis};
}

/** Changes the size of buckets. */
export const bucketSize: ChangeKind = {
  word: 'bucket-size',
  usage: 'bucket-size=FACTOR',
  meaning: 'buckets of gradients are FACTOR times as large, so that there are so many fewer collectives',
  make: value => {
    const factor = factorOf(value, 0.001);
    if (typeof factor === 'string') return factor;
    return (plan, bound) => scaleBuckets(plan, bound, factor);
  },
};

function scaleBuckets(plan: ReplayPlan, bound: Bound, factor: number): ChangeEffect {
  const durations = communicationDurations(plan.trace);
  if (durations.size === 0) return {unknown: say('the profile has no communication')};
  // The shortest one approximates the fixed cost of each.
  const ownNs = least(durations.values());
  const savedNs = ownNs * (1 - 1 / factor);
  for (const [operation, ns] of durations) {
    if (ns > 0) plan.scaleOperation(operation, Math.max(0, ns - byBound(bound, savedNs, savedNs, 0)) / ns);
  }
  return {
    basis: counted(
      durations.size,
      '{0} collective, whose fixed cost is all of its time. That larger buckets start later is not considered',
      '{0} collectives, whose fixed cost is the time of the shortest one. That larger buckets start later is not considered',
    ),
  };
}

/** Makes all ranks equally fast. */
export const balancedRanks: ChangeKind = {
  word: 'balanced-ranks',
  usage: 'balanced-ranks',
  meaning: 'no rank waits for another in a collective: each takes what the shortest of its kind takes',
  make: value => (value === '' ? balance : 'takes no value'),
};

function balance(plan: ReplayPlan, bound: Bound): ChangeEffect {
  const {slices, gpuOperations} = plan.trace;
  const alike = new Map<string, number[]>();
  for (const operation of communicationDurations(plan.trace).keys()) {
    const key = `${String(slices.name[gpuOperations.slice[operation]])} ${String(gpuOperations.bytes[operation])}`;
    alike.set(key, [...(alike.get(key) ?? []), operation]);
  }
  const groups = [...alike.values()].filter(({length}) => length >= fewestAlike);
  if (groups.length === 0)
    return {
      unknown: say('no collective is called often enough to tell its waiting from its transfer'),
    };
  for (const group of groups) {
    const sorted = group.map(operation => durationOf(plan.trace, operation)).sort((a, b) => a - b);
    const targetNs = byBound(
      bound,
      sorted[Math.floor(sorted.length / 4)],
      sorted[0],
      sorted[Math.floor(sorted.length / 2)],
    );
    for (const operation of group) {
      const ns = durationOf(plan.trace, operation);
      if (ns > targetNs) plan.scaleOperation(operation, targetNs / ns);
    }
  }
  return {
    basis: counted(
      groups.length,
      '{0} kind of collectives: each call takes as long as the shortest quarter of its kind (at best, the shortest; at worst, the median)',
      '{0} kinds of collectives: each call takes as long as the shortest quarter of its kind (at best, the shortest; at worst, the median)',
    ),
  };
}

const fewestAlike = 4;

/** Communication kernel → ns. */
function communicationDurations(trace: Trace): Map<number, number> {
  const found = new Map<number, number>();
  workClasses(trace).forEach((kind, operation) => {
    if (kind === 'communication') found.set(operation, durationOf(trace, operation));
  });
  return found;
}

function durationOf({slices, gpuOperations}: Trace, operation: number): number {
  return slices.durationNs[gpuOperations.slice[operation]];
}

/** Returns operations by stream, in the order in which they began. */
function byStream({gpuOperations}: Trace): number[][] {
  const streams = new Map<string, number[]>();
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const {process, device, stream} = gpuOperations;
    const key = [process[operation], device[operation], stream[operation]].join(' ');
    const list = streams.get(key);
    if (list) list.push(operation);
    else streams.set(key, [operation]);
  }
  return [...streams.values()];
}
