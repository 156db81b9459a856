import type {OperatorShapes} from '../../figures/operator-inputs.js';
import {groupRows, type GroupedRows} from '../../table/group-rows.js';
import {lowerBound} from '../../table/search.js';
import {overlapNs, unionOfSets, type IntervalSet} from '../../trace/interval-sets.js';
import type {Trace} from '../../trace/trace.js';
import {dependencyKinds, origin, type DependencyKind} from '../replay/replay-graph.js';
import type {TraceReplay} from '../replay/trace-replay.js';

const kindOf = Object.fromEntries(dependencyKinds.map((kind, at) => [kind, at])) as Record<DependencyKind, number>;

/** A replay with modified times. Changes are applied one after the other, each to the result of the last. */
export class ReplayPlan {
  /** Dependency → ns; -Infinity if it no longer holds. */
  readonly ns: Float64Array;
  #ofTracks: GroupedRows | undefined;
  #into: GroupedRows | undefined;

  constructor(
    readonly trace: Trace,
    readonly replay: TraceReplay,
    /** The shapes of operators' inputs; null if they were not read. */
    readonly shapes: OperatorShapes | null = null,
  ) {
    this.ns = replay.graph.dependencies.ns.slice();
  }

  /** Multiplies an operation's time by a factor. */
  scaleOperation(operation: number, factor: number): void {
    const {operationEnd} = this.replay;
    for (const at of this.dependenciesInto(operationEnd[operation], 'run')) this.ns[at] *= factor;
  }

  /** Returns the dependencies of a kind that lead into a moment. */
  dependenciesInto(moment: number, kind: DependencyKind): number[] {
    const {dependencies, moments} = this.replay.graph;
    this.#into ??= groupRows(dependencies.to, moments.length);
    const {rows, offsets} = this.#into;
    const into = Array.from(rows.subarray(offsets[moment], offsets[moment + 1]));
    return into.filter(at => dependencies.kind[at] === kindOf[kind]);
  }

  /** Removes the dependencies of a kind that lead into a moment. */
  drop(moment: number, kind: DependencyKind): void {
    for (const at of this.dependenciesInto(moment, kind)) this.ns[at] = -Infinity;
  }

  /** Multiplies the CPU time covered by some slices of threads by a factor. Time that several cover counts once. */
  scaleSlices(rows: Iterable<number>, factor: number): void {
    const {slices} = this.trace;
    const byTrack = new Map<number, number[]>();
    for (const row of rows) {
      const list = byTrack.get(slices.track[row]);
      if (list) list.push(row);
      else byTrack.set(slices.track[row], [row]);
    }
    for (const [track, own] of byTrack) {
      const length = own.length;
      const startNs = Float64Array.from(own, row => slices.startNs[row]);
      const durationNs = Float64Array.from(own, row => slices.durationNs[row]);
      this.scaleTime(track, unionOfSets([{length, startNs, durationNs}]), factor);
    }
  }

  /** Multiplies all CPU time of all threads by a factor. */
  scaleThreads(factor: number): void {
    const {kind} = this.replay.graph.dependencies;
    for (let at = 0; at < kind.length; at++) if (kind[at] === kindOf.cpu) this.ns[at] *= factor;
  }

  /** Multiplies the CPU time of a thread in some intervals by a factor. */
  scaleTime(track: number, times: IntervalSet, factor: number): void {
    const {moments, dependencies} = this.replay.graph;
    const {rows, offsets} = this.#cpuOfTracks();
    for (let i = offsets[track]; i < offsets[track + 1]; i++) {
      const at = rows[i];
      const from = dependencies.from[at];
      const startNs = from === origin ? 0 : moments.measuredNs[from];
      const passedNs = moments.measuredNs[dependencies.to[at]] - startNs;
      if (passedNs <= 0) continue;
      const own = {
        length: 1,
        startNs: Float64Array.of(startNs),
        durationNs: Float64Array.of(passedNs),
        totalNs: passedNs,
      };
      this.ns[at] *= 1 - (1 - factor) * (overlapNs(own, near(times, startNs, startNs + passedNs)) / passedNs);
    }
  }

  /** Returns CPU dependencies by thread. */
  #cpuOfTracks(): GroupedRows {
    const {moments, dependencies} = this.replay.graph;
    this.#ofTracks ??= groupRows(
      dependencies.to.map((to, at) => (dependencies.kind[at] === kindOf.cpu ? moments.track[to] : -1)),
      this.trace.tracks.length,
    );
    return this.#ofTracks;
  }
}

/** Returns the part of ascending intervals that may overlap a time. */
function near({startNs, durationNs, totalNs}: IntervalSet, fromNs: number, toNs: number): IntervalSet {
  let first = lowerBound(startNs, fromNs);
  if (first > 0) first--;
  const end = lowerBound(startNs, toNs);
  const [starts, durations] = [startNs.subarray(first, end), durationNs.subarray(first, end)];
  return {length: starts.length, startNs: starts, durationNs: durations, totalNs};
}
