import {foldedTexts, namingOf, type Naming} from '../attribution/name-fold.js';
import {launchSites, type LaunchSites} from '../attribution/launch-sites.js';
import {operatorStacks, type OperatorStacks} from '../attribution/operator-stacks.js';
import {reportApiName} from '../names/api-name.js';
import {getOrAdd} from '../table/get-or-add.js';
import {callsByName, type CallGroups} from './call-groups.js';
import {launchesOf, type Launches} from './launches.js';
import {kernelsByName, memoryByDirection, operationDurations, type NamedGroups} from './operation-groups.js';
import {collectRangeSet, onThreads, type RangeSet} from './range-set.js';
import {groupByNameAndStyle, rangeStatistics, type RangeGroups, type RangeStatistics} from './range-statistics.js';
import {rangeSites, type RangeSites} from './range-work.js';
import type {ReportSource} from './report-source.js';

const apiCallKinds = ['cuda_runtime', 'cuda_driver'] as const;
const allStyles = {pushPop: true, startEnd: true} as const;

/** Tables that several reports are made from: each is made once, when first requested. */
export class ReportTables {
  #operationNs: Float64Array | null = null;
  readonly #kernels = new Map<string, NamedGroups>();
  #memoryOperations: NamedGroups | null = null;
  #apiCalls: CallGroups | null = null;
  #apiCallsOfAllVersions: CallGroups | null = null;
  #launches: Launches | null = null;
  #ranges: RangeSet | null = null;
  #allThreadRanges: RangeSet | null = null;
  #threadRanges: RangeSet | null = null;
  #siteRangeGroups: RangeGroups | null = null;
  #rangeStatistics: RangeStatistics | null = null;
  #sites: RangeSites | null = null;
  #launchSites: LaunchSites | null = null;
  #foldedNames: ReadonlySet<string> | null = null;
  #operatorStacks: OperatorStacks | null = null;

  constructor(private readonly source: ReportSource) {}

  /** Duration of each GPU operation, clipped to the scope's window, ns. */
  get operationNs(): Float64Array {
    return (this.#operationNs ??= operationDurations(this.source));
  }

  /** Returns the kernels in scope by the name that a report's options ask for; every other operation is in no group. */
  kernels(options: readonly string[]): NamedGroups {
    const key = [...options].sort().join(':');
    return getOrAdd(this.#kernels, key, () => kernelsByName({...this.source, tables: this, options}, this.operationNs));
  }

  /** Copies and memsets in scope by direction; every other operation is in no group. */
  get memoryOperations(): NamedGroups {
    return (this.#memoryOperations ??= memoryByDirection(this.source, this.operationNs));
  }

  /** Runtime and driver calls in scope by name. Two ABI versions of a call form two groups with equal names. */
  get apiCalls(): CallGroups {
    return (this.#apiCalls ??= callsByName(this.source, apiCallKinds, reportApiName));
  }

  /** The same, with all versions of a call in one group. */
  get apiCallsOfAllVersions(): CallGroups {
    const {names} = this.apiCalls;
    if (new Set(names).size === names.length) return this.apiCalls;
    return (this.#apiCallsOfAllVersions ??= callsByName(this.source, apiCallKinds, reportApiName, {isByText: true}));
  }

  get launches(): Launches {
    return (this.#launches ??= launchesOf(this.source));
  }

  /** All ranges in scope, in the order of the slices table. */
  get ranges(): RangeSet {
    return (this.#ranges ??= collectRangeSet(this.source, allStyles, this.source.scope.slices));
  }

  /** Names of rows of ranges that combine several names; empty if names are not folded. */
  get foldedNames(): ReadonlySet<string> {
    const {trace, stack} = this.source;
    const fold = stack?.fold;
    if (!fold) return new Set();
    return (this.#foldedNames ??= foldedTexts(trace, fold, this.#rangeSlices()));
  }

  /** The groups of the ranges of `sites` by name and style. @throws TraceError `trace/too-many-open-ranges` */
  get siteRangeGroups(): RangeGroups {
    const {source, sites, threadRanges} = this;
    return (this.#siteRangeGroups ??= groupByNameAndStyle(source.trace, sites.ranges, this.#namingIn(threadRanges)));
  }

  /** Returns the naming of ranges. If names are folded, it depends on the other ranges. */
  #namingIn(ranges: RangeSet): Naming {
    const {trace, stack} = this.source;
    return namingOf(trace, stack?.fold, ranges.slice);
  }

  /**
   * Returns the slices of ranges as reports use them: the whole profile's for ranges on threads, else those in scope.
   */
  #rangeSlices(): Int32Array {
    const [onThread, inScope] = [this.allThreadRanges.slice, this.ranges.slice];
    const slices = new Int32Array(onThread.length + inScope.length);
    slices.set(onThread);
    slices.set(inScope, onThread.length);
    return slices;
  }

  /** How long `ranges` were open, by name and style. */
  get rangeStatistics(): RangeStatistics {
    return (this.#rangeStatistics ??= rangeStatistics(this.source, this.ranges, this.#namingIn(this.ranges)));
  }

  /** All ranges on one thread, in scope or not. */
  get allThreadRanges(): RangeSet {
    const isAll = this.source.scope.slices === null;
    return (this.#allThreadRanges ??= onThreads(isAll ? this.ranges : collectRangeSet(this.source, allStyles, null)));
  }

  /** All ranges on one thread that may contain launches of operations in scope. */
  get threadRanges(): RangeSet {
    if (this.#threadRanges) return this.#threadRanges;
    const {slices, ranges} = this.source.scope;
    const candidates = slices === ranges ? this.ranges : collectRangeSet(this.source, allStyles, ranges);
    return (this.#threadRanges = onThreads(candidates));
  }

  /**
   * The ranges of `threadRanges` with calls that launched something, and these calls.
   *
   * @throws TraceError `trace/too-many-open-ranges`
   */
  get sites(): RangeSites {
    return (this.#sites ??= rangeSites(this.source.trace, this.threadRanges, this.launches));
  }

  /** The launch site of each operation. */
  get launchSites(): LaunchSites {
    return (this.#launchSites ??= launchSites(this.source.trace));
  }

  /** The operators and annotations around each of `launchSites`. @throws TraceError `trace/too-many-open-ranges` */
  get operatorStacks(): OperatorStacks {
    return (this.#operatorStacks ??= operatorStacks(this.source.trace, this.launchSites));
  }
}
