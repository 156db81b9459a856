import {launchesOf, type Launches} from './launches.js';
import {collectRangeSet, onThreads, rangeParents, type RangeSet} from './range-set.js';
import {rangeSites, type RangeSites} from './range-work.js';
import type {ReportSource} from './report-source.js';

/** Tables that several reports are made from: each is made when it is first asked for, and once. */
export class ReportTables {
  #launches: Launches | null = null;
  #threadRanges: RangeSet | null = null;
  #sites: RangeSites | null = null;
  #parents: Int32Array | null = null;

  constructor(private readonly source: ReportSource) {}

  get launches(): Launches {
    return (this.#launches ??= launchesOf(this.source));
  }

  /** All ranges that lie on one thread. */
  get threadRanges(): RangeSet {
    return (this.#threadRanges ??= onThreads(collectRangeSet(this.source, {pushPop: true, startEnd: true})));
  }

  /** The calls in each of `threadRanges`. @throws TraceError `trace/too-many-open-ranges` */
  get sites(): RangeSites {
    return (this.#sites ??= rangeSites(this.source.trace, this.threadRanges, this.launches));
  }

  /** The range around each of `threadRanges`. @throws TraceError `trace/too-many-open-ranges` */
  get parents(): Int32Array {
    return (this.#parents ??= rangeParents(this.threadRanges));
  }
}
