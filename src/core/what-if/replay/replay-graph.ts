import {TableBuilder, type Table} from '../../table/table.js';

/** The kinds of moments of a replay: an end of a CPU call or of a GPU operation, a mark on a thread, or the origin. */
export const momentKinds = ['origin', 'callStart', 'callEnd', 'operationStart', 'operationEnd', 'mark'] as const;
export type MomentKind = (typeof momentKinds)[number];

/**
 * Why a moment follows another:
 *
 * - `cpu`: a thread continues; the cost of a call, or the CPU time between calls
 * - `thread`: another thread waits for this one, as the forward thread does for autograd's
 * - `launch`: a call launches an operation
 * - `run`: an operation takes its time
 * - `stream`: operations of a stream follow each other
 * - `event`: an operation waits for one of another stream
 * - `sync`: a call returns when an operation is done
 */
export const dependencyKinds = ['cpu', 'thread', 'launch', 'run', 'stream', 'event', 'sync'] as const;
export type DependencyKind = (typeof dependencyKinds)[number];

/**
 * `slice` is the row of the slices table whose end the moment is, and `track` its thread; -1 for none. `measuredNs`
 * shows which part of a thread's time is between two moments; no simulation reads it.
 */
const momentSchema = {measuredNs: 'f64', slice: 'i32', track: 'i32', kind: 'u8'} as const;
/** `to` comes at least `ns` after `from`. */
const dependencySchema = {ns: 'f64', from: 'i32', to: 'i32', kind: 'u8'} as const;

type MomentTable = Table<typeof momentSchema>;
type DependencyTable = Table<typeof dependencySchema>;

/** Moments, and what each waits for. */
export interface ReplayGraph {
  readonly moments: MomentTable;
  readonly dependencies: DependencyTable;
}

/** Row 0 of the moments: the origin, at 0. */
export const origin = 0;

/** Collects moments and dependencies. */
export class GraphBuilder {
  readonly #moments = new TableBuilder(momentSchema);
  readonly #dependencies = new TableBuilder(dependencySchema);

  constructor() {
    this.addMoment('origin', 0);
  }

  /** Adds a moment, and returns its row. */
  addMoment(kind: MomentKind, measuredNs: number, slice = -1, track = -1): number {
    return this.#moments.push({kind: momentKinds.indexOf(kind), measuredNs, slice, track});
  }

  addDependency(kind: DependencyKind, from: number, to: number, ns: number): void {
    this.#dependencies.push({kind: dependencyKinds.indexOf(kind), from, to, ns});
  }

  /** Returns the graph. The builder must not be used afterwards. */
  finish(): ReplayGraph {
    return {moments: this.#moments.finish(), dependencies: this.#dependencies.finish()};
  }
}
