import {comparedPart, hasSteps, type ComparedPart} from './compared-part.js';
import type {SelectedRun} from './run-comparison-input.js';
import type {RunMeans} from './run-noise.js';
import {runWork, type WorkEntry} from './run-work.js';
import type {WorkKind} from './work-groups.js';

/** Further runs of the same code as the base and the changed run. They show how much runs differ without a change. */
export interface Repeats {
  readonly before: readonly SelectedRun[];
  readonly after: readonly SelectedRun[];
}

export const noRepeats: Repeats = {before: [], after: []};

/** The work of repeated runs, by path. Runs without steps are excluded if figures are per step. */
export class RepeatedRuns {
  readonly #before: readonly ComparedPart[];
  readonly #after: readonly ComparedPart[];
  readonly #works = new Map<WorkKind, ReadonlyMap<ComparedPart, ReadonlyMap<string, WorkEntry>>>();

  constructor(
    {before, after}: Repeats,
    private readonly isPerStep: boolean,
  ) {
    const parts = (runs: readonly SelectedRun[]) =>
      runs
        .filter(({trace, selection}) => !isPerStep || hasSteps(trace, selection))
        .map(({trace, selection}) => comparedPart(trace, selection, isPerStep));
    this.#before = parts(before);
    this.#after = parts(after);
  }

  /** The number of runs on either side, including the compared one. */
  get counts(): {readonly before: number; readonly after: number} {
    return {before: 1 + this.#before.length, after: 1 + this.#after.length};
  }

  /** Returns the mean of a row in each run: its work per step, or its time per call. Null if there are no repeats. */
  means(kind: WorkKind, base: readonly WorkEntry[], changed: readonly WorkEntry[], own: OwnMeans): RunMeans | null {
    if (this.#before.length + this.#after.length === 0 || own.before === null || own.after === null) return null;
    const ofSide = (parts: readonly ComparedPart[], entries: readonly WorkEntry[]) =>
      parts.flatMap(part => this.#meanIn(part, kind, entries) ?? []);
    return {
      before: [own.before, ...ofSide(this.#before, base)],
      after: [own.after, ...ofSide(this.#after, changed)],
    };
  }

  #meanIn(part: ComparedPart, kind: WorkKind, entries: readonly WorkEntry[]): number | null {
    const works = this.#worksOf(kind).get(part);
    const found = entries.flatMap(({path}) => works?.get(path) ?? []);
    if (found.length === 0) return null;
    const sum = (key: 'gpuWorkNs' | 'count') => found.reduce((all, entry) => all + entry[key], 0);
    return this.isPerStep ? sum('gpuWorkNs') / part.steps : sum('gpuWorkNs') / Math.max(1, sum('count'));
  }

  #worksOf(kind: WorkKind): ReadonlyMap<ComparedPart, ReadonlyMap<string, WorkEntry>> {
    const known = this.#works.get(kind);
    if (known) return known;
    const made = new Map(
      [...this.#before, ...this.#after].map(part => [
        part,
        new Map(runWork(part, kind).map(entry => [entry.path, entry])),
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
