import {commandIds} from './command-ids.js';

/** A view of the active profile, for lists that lead to all of them. */
export interface ProfileView {
  readonly title: string;
  /** A codicon's name. */
  readonly icon: string;
  readonly command: string;
}

/** Every view of a profile's figures, in the order in which a person asks. */
export const profileViews: readonly ProfileView[] = [
  {title: 'Summary', icon: 'dashboard', command: commandIds.showSummary},
  {title: 'Timeline', icon: 'graph-line', command: commandIds.showTimeline},
  {title: 'Flame Graph', icon: 'flame', command: commandIds.showFlameGraph},
  {title: 'Tables', icon: 'table', command: commandIds.showTables},
  {title: 'Findings', icon: 'lightbulb', command: commandIds.showFindings},
  {title: 'What If…', icon: 'beaker', command: commandIds.showWhatIf},
  {title: 'Roofline and Estimate', icon: 'graph-scatter', command: commandIds.showRoofline},
  {title: 'SQL Query', icon: 'database', command: commandIds.queryProfile},
];

/** Views of a profile that has tables alone: a text report has no time. */
export const viewsOfTables: readonly ProfileView[] = profileViews.filter(
  ({command}) => command === commandIds.showTables,
);
