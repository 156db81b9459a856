import {ColumnLayouts} from './grid/column-layouts.js';
import type {Host} from './host.js';

/** Returns the layouts of a view's columns, stored in its state beside other members. */
export function keptLayouts(host: Pick<Host, 'restore' | 'store'>): ColumnLayouts {
  const layouts = new ColumnLayouts(() => {
    host.store({...storedMembers(host), columns: layouts.stored});
  });
  layouts.restore(storedMembers(host)['columns']);
  return layouts;
}

/** Returns the stored state of a view, by name. */
export function storedMembers(host: Pick<Host, 'restore'>): Readonly<Record<string, unknown>> {
  const stored = host.restore();
  return typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
}
