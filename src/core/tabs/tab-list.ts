import type {ReportNeed, RowKind} from '../reports/report.js';
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
}

/** A tab in the order of the view. */
interface PlacedTab extends TableTab {
  /** The tab that it stands behind. */
  readonly after: string;
  /** The report whose rows it shows, with its options; absent where it is none. */
  readonly report?: string;
}

export const rangesTab: TableTab = {
  id: 'ranges',
  title: 'Ranges',
  row: 'range',
  about: 'tagged ranges (NVTX, record_function)',
};
export const stepsTab: PlacedTab = {id: 'steps', title: 'Steps', row: 'step', about: 'steps', after: 'launches'};

/** Every tab that is a report, as the reports say. */
const reportTabs: readonly PlacedTab[] = reportDefinitions.flatMap(({id: report, about, tabs = []}) =>
  tabs.map(({options = [], ...tab}) => ({about, ...tab, report: [report, ...options].join(':')})),
);

/** The tabs of every trace, in the order of the view. */
export const traceTabs: readonly TableTab[] = [rangesTab, ...tabsAfter(rangesTab.id, [...reportTabs, stepsTab])];

/** The tabs that stand behind one, each with those behind itself. The last that is said of stands right behind it. */
function tabsAfter(first: string, tabs: readonly PlacedTab[]): TableTab[] {
  return tabs
    .toReversed()
    .flatMap(({after, id, title, row, about}) =>
      after === first ? [{id, title, row, about}, ...tabsAfter(id, tabs)] : [],
    );
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
