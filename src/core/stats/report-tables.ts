import {foldedTexts} from '../attribution/name-fold.js';
import {findSites, type LaunchSites} from '../attribution/launch-sites.js';
import {operatorStacks, type OperatorStacks} from '../attribution/operator-stacks.js';
import {launchesOf, type Launches} from './launches.js';
import {collectRangeSet, onThreads, rangeParents, type RangeSet} from './range-set.js';
import {rangeStatistics, type RangeStatistics} from './range-statistics.js';
import {rangeSites, type RangeSites} from './range-work.js';
import type {ReportSource} from './report-source.js';

const allStyles = {pushPop: true, startEnd: true} as const;

/** Tables that several reports are made from: each is made when it is first asked for, and once. */
export class ReportTables {
  #launches: Launches | null = null;
  #ranges: RangeSet | null = null;
  #allThreadRanges: RangeSet | null = null;
  #threadRanges: RangeSet | null = null;
  #rangeStatistics: RangeStatistics | null = null;
  #sites: RangeSites | null = null;
  #parents: Int32Array | null = null;
  #launchSites: LaunchSites | null = null;
  #foldedNames: ReadonlySet<string> | null = null;
  #operatorStacks: OperatorStacks | null = null;

  constructor(private readonly source: ReportSource) {}

  get launches(): Launches {
    return (this.#launches ??= launchesOf(this.source));
  }

  /** All ranges in scope, in the order of the slices table. */
  get ranges(): RangeSet {
    return (this.#ranges ??= collectRangeSet(this.source, allStyles, this.source.scope.slices));
  }

  /** What rows of ranges are called that stand for several names; empty where none is to be folded. */
  get foldedNames(): ReadonlySet<string> {
    const {trace, stack} = this.source;
    if (!stack?.fold) return new Set();
    // Those on threads are of the whole profile, others of what is in scope: as reports take them.
    const slices = Int32Array.from([...this.allThreadRanges.slice, ...this.ranges.slice]);
    return (this.#foldedNames ??= foldedTexts(trace, stack.fold, slices));
  }

  /** How long `ranges` were open, by name and style. */
  get rangeStatistics(): RangeStatistics {
    return (this.#rangeStatistics ??= rangeStatistics(this.source, this.ranges));
  }

  /** All ranges on one thread, in scope or not. */
  get allThreadRanges(): RangeSet {
    const isAll = this.source.scope.slices === null;
    return (this.#allThreadRanges ??= onThreads(isAll ? this.ranges : collectRangeSet(this.source, allStyles, null)));
  }

  /** All ranges on one thread that operations in scope may have been launched in. */
  get threadRanges(): RangeSet {
    if (this.#threadRanges) return this.#threadRanges;
    const {slices, ranges} = this.source.scope;
    const candidates = slices === ranges ? this.ranges : collectRangeSet(this.source, allStyles, ranges);
    return (this.#threadRanges = onThreads(candidates));
  }

  /** The calls in each of `threadRanges`. @throws TraceError `trace/too-many-open-ranges` */
  get sites(): RangeSites {
    return (this.#sites ??= rangeSites(this.source.trace, this.threadRanges, this.launches));
  }

  /** Where each operation was launched. */
  get launchSites(): LaunchSites {
    return (this.#launchSites ??= findSites(this.source.trace));
  }

  /** The operators and annotations around each of `launchSites`. @throws TraceError `trace/too-many-open-ranges` */
  get operatorStacks(): OperatorStacks {
    return (this.#operatorStacks ??= operatorStacks(this.source.trace, this.launchSites));
  }

  /** The range around each of `threadRanges`. @throws TraceError `trace/too-many-open-ranges` */
  get parents(): Int32Array {
    return (this.#parents ??= rangeParents(this.threadRanges));
  }
}
