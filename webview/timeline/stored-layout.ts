import {plainLayout, type TimelineLayout} from '../../src/core/layout/timeline-rows.js';
import {colorings, type Coloring} from './timeline-state.js';

/** More rows than this are arranged by nobody. */
const mostKeys = 1000;

/** What the workspace keeps of how the rows are arranged; the filter is of the moment. */
export interface StoredLayout {
  readonly toggled: readonly string[];
  readonly pinned: readonly string[];
  readonly coloring: Coloring;
}

export function toStored({toggled, pinned}: TimelineLayout, coloring: Coloring): StoredLayout {
  return {toggled: [...toggled].slice(0, mostKeys), pinned: [...pinned].slice(0, mostKeys), coloring};
}

/** What was stored, as far as it has the form: an earlier or later version may have written it. */
export function fromStored(stored: unknown): {layout: TimelineLayout; coloring: Coloring} {
  const {toggled, pinned, coloring} = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<
    Record<keyof StoredLayout, unknown>
  >;
  return {
    layout: {...plainLayout, toggled: textsOf(toggled), pinned: textsOf(pinned)},
    coloring: colorings.find(known => known === coloring) ?? 'class',
  };
}

function textsOf(value: unknown): ReadonlySet<string> {
  return new Set(Array.isArray(value) ? value.filter(text => typeof text === 'string').slice(0, mostKeys) : []);
}
