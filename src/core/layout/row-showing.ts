import type {TimelineSummary} from './timeline-summary.js';
import {rowOfLane, timelineRows, type TimelineLayout} from './timeline-rows.js';
import {toggled} from '../base/toggled.js';

/** What hides a lane: the filter of rows, a folded group, or a folded row. */
export type Hiding = 'filter' | 'group' | 'row';

/**
 * Returns a layout in which a lane of a track is visible, and what hid it, from the outermost inwards; the same layout
 * if nothing did. A lane that a timeline never shows stays hidden.
 */
export function layoutShowing(
  summary: TimelineSummary,
  layout: TimelineLayout,
  track: number,
  lane: number,
): {readonly layout: TimelineLayout; readonly hidBy: readonly Hiding[]} {
  const hidBy: Hiding[] = [];
  const rowIn = (candidate: TimelineLayout) => rowOfLane(timelineRows(summary, candidate), track, lane);
  const group = summary.tracks.find(own => own.track === track)?.group;
  let shown = layout;
  if (group !== undefined && !rowIn({...shown, filter: ''})) {
    shown = {...shown, toggled: toggled(shown.toggled, group)};
    hidBy.push('group');
  }
  if (!rowIn(shown)) {
    shown = {...shown, filter: ''};
    hidBy.unshift('filter');
  }
  const row = rowIn(shown);
  if (!row) return {layout, hidBy: []};
  if (row.isFolded && lane > row.section.firstLane) {
    shown = {...shown, toggled: toggled(shown.toggled, row.key)};
    hidBy.push('row');
  }
  return {layout: shown, hidBy};
}
