import {ColumnLayouts} from './grid/column-layouts.js';
import type {Host} from './host.js';
import {storedMembers, storeMembers} from './stored-members.js';

/** Returns the layouts of a view's columns, stored in its state beside other members. */
export function keptLayouts(host: Pick<Host, 'restore' | 'store'>): ColumnLayouts {
  const layouts = new ColumnLayouts(() => {
    storeMembers(host, {columns: layouts.stored});
  });
  layouts.restore(storedMembers(host)['columns']);
  return layouts;
}
