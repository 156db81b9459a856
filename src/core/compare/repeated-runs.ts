import type {WorkPart} from '../gpu-work/work-part.js';
import type {SelectedRun} from './run-comparison-input.js';
import type {RunMeans} from './run-noise.js';
import {askWork} from '../gpu-work/ask-work.js';
import {sumWork, type WorkEntry} from '../gpu-work/work-entry.js';
import type {WorkKind} from '../gpu-work/work-groups.js';

/** Further runs of the same code as the base and the changed run. They show how much runs differ without a change. */
export interface Repeats {
  readonly before: readonly SelectedRun[];
  readonly after: readonly SelectedRun[];
}

export const noRepeats: Repeats = {before: [], after: []};

/** The parts of repeated runs that are compared. */
export interface RepeatedParts {
  readonly before: readonly WorkPart[];
  readonly after: readonly WorkPart[];
}

/** The work of repeated runs, by path. */
export class RepeatedRuns {
  readonly #works = new Map<WorkKind, ReadonlyMap<WorkPart, ReadonlyMap<string, WorkEntry>>>();

  constructor(
    private readonly parts: RepeatedParts,
    private readonly isPerStep: boolean,
  ) {}

  /** The number of runs on either side, including the compared one. */
  get counts(): {readonly before: number; readonly after: number} {
    return {before: 1 + this.parts.before.length, after: 1 + this.parts.after.length};
  }

  /** Returns the mean of a row in each run: its work per step, or its time per call. Null if there are no repeats. */
  means(kind: WorkKind, base: readonly WorkEntry[], changed: readonly WorkEntry[], own: OwnMeans): RunMeans | null {
    if (this.parts.before.length + this.parts.after.length === 0 || own.before === null || own.after === null)
      return null;
    const ofSide = (parts: readonly WorkPart[], entries: readonly WorkEntry[]) =>
      parts.flatMap(part => this.#meanIn(part, kind, entries) ?? []);
    return {
      before: [own.before, ...ofSide(this.parts.before, base)],
      after: [own.after, ...ofSide(this.parts.after, changed)],
    };
  }

  #meanIn(part: WorkPart, kind: WorkKind, entries: readonly WorkEntry[]): number | null {
    const works = this.#worksOf(kind).get(part);
    const found = entries.flatMap(({path}) => works?.get(path) ?? []);
    if (found.length === 0) return null;
    const {gpuWorkNs, count} = sumWork(found, part.steps);
    return gpuWorkNs / (this.isPerStep ? part.steps : Math.max(1, count));
  }

  #worksOf(kind: WorkKind): ReadonlyMap<WorkPart, ReadonlyMap<string, WorkEntry>> {
    const known = this.#works.get(kind);
    if (known) return known;
    const made = new Map(
      [...this.parts.before, ...this.parts.after].map(part => [
        part,
        new Map(askWork(part, kind).rows.map(entry => [entry.path, entry])),
      ]),
    );
    this.#works.set(kind, made);
    return made;
  }
}

/** Means in the compared runs; null if the row is absent. */
export interface OwnMeans {
  readonly before: number | null;
  readonly after: number | null;
}
