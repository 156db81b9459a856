import type {TableTab} from '../../src/core/tabs/tab-list.js';
import type {Tab} from '../shared/tab-bar.js';
import {say} from '../shared/translate.js';

/** Returns a table's tab for its bar, in the editor's language. */
export const shownTab = ({group, ...tab}: TableTab): Tab => ({
  ...tab,
  ...{title: say(tab.title), about: say(tab.about)},
  ...(group !== undefined && {group: say(group)}),
});
