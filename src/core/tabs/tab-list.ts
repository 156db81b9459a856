import {tabGroups, type ReportNeed, type RowKind, type TabGroup} from '../reports/report.js';
import {stepsOf} from '../scope/steps.js';
import type {Trace} from '../trace/trace.js';
import {isOfRanges, parseReportRequest, reportDefinitions, type ReportRequest} from '../reports/reports.js';

/** One table of the view. */
export interface TableTab {
  /** Of a text: `text/` and the number of the table. */
  readonly id: string;
  readonly title: string;
  readonly row: RowKind;
  /** Whether what counts as a range makes a difference. */
  readonly isOfRanges?: boolean;
  /** What the profile lacks where there is no row. */
  readonly about: string;
  /** What it is about; absent where the tables are those of a text. */
  readonly group?: TabGroup;
  /** Whether the profile is known to have no row for it. */
  readonly isEmpty?: boolean;
}

/** A tab in the order of the view. */
interface PlacedTab extends Omit<TableTab, 'isEmpty'> {
  /** The tab that it stands behind. */
  readonly after: string;
  /** The report whose rows it shows, with its options; absent where it is none. */
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

/** Every tab that is a report, as the reports say. */
const reportTabs: readonly PlacedTab[] = reportDefinitions.flatMap(({id: report, about, tabs = []}) =>
  tabs.map(({options = [], ...tab}) => ({about, ...tab, report: [report, ...options].join(':')})),
);

const placedTabs: readonly PlacedTab[] = [...reportTabs, stepsTab];

/** The tabs of every trace, in the order of the view: by group, and in each as they stand behind one another. */
export const traceTabs: readonly TableTab[] = inGroups([rangesTab, ...tabsAfter(rangesTab, placedTabs)]);

/** The tabs that stand behind one, each with those behind itself. The last that is said of stands right behind it. */
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

/** Returns whether a trace is known to have no row for a tab; false where that is not told without making it. */
export function isEmptyTab(trace: Trace, tab: string): boolean {
  return placedTabs.find(({id}) => id === tab)?.isEmpty?.(trace) ?? false;
}

/** The report behind a tab with its options; null where it is none. */
export function reportOfTab(tab: string): ReportRequest | null {
  const report = reportTabs.find(({id}) => id === tab)?.report;
  return report === undefined ? null : parseReportRequest(report);
}

/** Whether a tab is made of this besides the profile. */
export function tabNeeds(tab: string, need: ReportNeed): boolean {
  return reportOfTab(tab)?.definition.needs?.includes(need) ?? false;
}

/** Whether what counts as a range makes a difference to a tab. */
export function isTabOfRanges(tab: string): boolean {
  const request = reportOfTab(tab);
  return tab === rangesTab.id || (request !== null && isOfRanges(request));
}
