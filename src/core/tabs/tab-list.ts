import {tabGroups, type ReportNeed, type RowKind, type TabGroup} from '../reports/report.js';
import {stepsOf} from '../scope/steps.js';
import type {Trace} from '../trace/trace.js';
import {isOfRanges, parseReportRequest, reportDefinitions, type ReportRequest} from '../reports/reports.js';

/** One table of the view. */
export interface TableTab {
  /** For a table of a text: `text/` and the number of the table. */
  readonly id: string;
  readonly title: string;
  readonly row: RowKind;
  /** Whether the table depends on what counts as a range. */
  readonly isOfRanges?: boolean;
  /** What the profile lacks if there are no rows. */
  readonly about: string;
  /** Its group; absent for the tables of a text. */
  readonly group?: TabGroup;
  /** Whether the profile is known to have no rows for it. */
  readonly isEmpty?: boolean;
}

/** A tab with its position in the view. */
interface PlacedTab extends Omit<TableTab, 'isEmpty'> {
  /** The tab that it follows. */
  readonly after: string;
  /** The report whose rows it shows, with its options; absent if it is not a report. */
  readonly report?: string;
  readonly isEmpty?: (trace: Trace) => boolean;
}

export const rangesTab: TableTab = {
  id: 'ranges',
  title: 'Ranges',
  row: 'range',
  about: 'tagged ranges (NVTX, record_function)',
  group: 'Summary',
};
export const stepsTab: PlacedTab = {
  id: 'steps',
  title: 'Steps',
  row: 'step',
  about: 'steps',
  after: 'launches',
  group: 'Summary',
  isEmpty: trace => stepsOf(trace).length === 0,
};

/** Every tab that shows a report, as the reports define them. */
const reportTabs: readonly PlacedTab[] = reportDefinitions.flatMap(({id: report, about, tabs = []}) =>
  tabs.map(({options = [], ...tab}) => ({about, ...tab, report: [report, ...options].join(':')})),
);

const placedTabs: readonly PlacedTab[] = [...reportTabs, stepsTab];

/** The tabs of every trace, in the order of the view: by group, and in each group by which tab they follow. */
export const traceTabs: readonly TableTab[] = inGroups([rangesTab, ...tabsAfter(rangesTab, placedTabs)]);

/**
 * Returns the tabs that follow a tab, each with those that follow it. The last one defined comes directly after the
 * tab.
 */
function tabsAfter(first: TableTab, tabs: readonly PlacedTab[]): TableTab[] {
  return tabs.toReversed().flatMap(({after, id, title, row, about, group = first.group}) => {
    if (after !== first.id) return [];
    const tab: TableTab = {id, title, row, about, ...(group && {group})};
    return [tab, ...tabsAfter(tab, tabs)];
  });
}

function inGroups(tabs: readonly TableTab[]): TableTab[] {
  return tabGroups.flatMap(group => tabs.filter(tab => tab.group === group));
}

/** Returns whether a trace is known to have no rows for a tab; false if that is only known after creating it. */
export function isEmptyTab(trace: Trace, tab: string): boolean {
  return placedTabs.find(({id}) => id === tab)?.isEmpty?.(trace) ?? false;
}

/** Returns the report behind a tab with its options; null if it is not a report. */
export function reportOfTab(tab: string): ReportRequest | null {
  const report = reportTabs.find(({id}) => id === tab)?.report;
  return report === undefined ? null : parseReportRequest(report);
}

/** Returns whether a tab needs this in addition to the profile. */
export function tabNeeds(tab: string, need: ReportNeed): boolean {
  return reportOfTab(tab)?.definition.needs?.includes(need) ?? false;
}

/** Returns whether a tab depends on what counts as a range. */
export function isTabOfRanges(tab: string): boolean {
  const request = reportOfTab(tab);
  return tab === rangesTab.id || (request !== null && isOfRanges(request));
}
