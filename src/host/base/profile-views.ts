import {template} from '../../core/base/say.js';
import {commandIds} from './command-ids.js';
import {profilePanels} from './profile-panels.js';

/** A view of the active profile, for lists of all views. */
export interface ProfileView {
  /** A template. */
  readonly name: string;
  /** A codicon's name. */
  readonly icon: string;
  readonly command: string;
}

const {summary, flame, tables, roofline, ...others} = profilePanels;

/** Every view of a profile's figures, in the order in which a user needs them. */
export const profileViews: readonly ProfileView[] = [
  summary,
  {name: template('Timeline'), icon: 'graph-line', command: commandIds.showTimeline},
  flame,
  tables,
  {name: template('Findings'), icon: 'lightbulb', command: commandIds.showFindings},
  {name: template('Memory'), icon: 'server', command: commandIds.showMemory},
  {name: template('What If…'), icon: 'beaker', command: commandIds.showWhatIf},
  roofline,
  ...Object.values<ProfileView>(others),
  {name: template('SQL Query'), icon: 'database', command: commandIds.queryProfile},
];

/** Views of a profile with tables only: a text report has no timeline. */
export const viewsOfTables: readonly ProfileView[] = [tables];
