import {plainLayout, type TimelineLayout} from '../../src/core/layout/timeline-rows.js';
import {isFields} from '../../src/core/base/read-json.js';
import {colorings, type Coloring} from './timeline-state.js';

/** Nobody arranges more rows than this. */
const mostKeys = 1000;

/** The workspace's stored arrangement of the rows; the filter is temporary, and not stored. */
export interface StoredLayout {
  readonly toggled: readonly string[];
  readonly pinned: readonly string[];
  readonly order: readonly string[];
  readonly coloring: Coloring;
}

export function toStored({toggled, pinned, order}: TimelineLayout, coloring: Coloring): StoredLayout {
  const first = (keys: ReadonlySet<string>) => [...keys].slice(0, mostKeys);
  // The latest changes are at the end.
  return {toggled: first(toggled), pinned: first(pinned), order: order.slice(-mostKeys), coloring};
}

/** Returns the valid part of a stored layout, which an earlier or later version may have written. */
export function fromStored(stored: unknown): {layout: TimelineLayout; coloring: Coloring} {
  const {toggled, pinned, order, coloring}: Partial<Record<keyof StoredLayout, unknown>> = isFields(stored)
    ? stored
    : {};
  return {
    layout: {...plainLayout, toggled: textsOf(toggled), pinned: textsOf(pinned), order: [...textsOf(order)]},
    coloring: colorings.find(known => known === coloring) ?? 'class',
  };
}

function textsOf(value: unknown): ReadonlySet<string> {
  return new Set(Array.isArray(value) ? value.filter(text => typeof text === 'string').slice(0, mostKeys) : []);
}
