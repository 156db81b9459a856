import {stackKinds, type RangeStack} from '../../src/core/attribution/range-stack.js';

/** The state of the tables that is stored while they are hidden. */
export interface StoredView {
  readonly tab: string | null;
  readonly isChart: boolean;
  /** The header of the column chosen for a chart. */
  readonly chartColumn: string | null;
  /** The layout of columns, which `ColumnLayouts` reads. */
  readonly columns: unknown;
  /** What counts as a range in the shown profile. */
  readonly stack: RangeStack;
}

/**
 * Returns the valid part of a stored state, which another version may have written. What counts as a range belongs to
 * one profile, and is not applied to another.
 */
export function storedView(stored: unknown, identity: string): StoredView {
  const view = membersOf(stored);
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    tab: text(view['tab']),
    isChart: view['isChart'] === true,
    chartColumn: text(view['chartColumn']),
    columns: view['columns'],
    stack: view['identity'] === identity ? storedStack(view['stack']) : {},
  };
}

function storedStack(stored: unknown): RangeStack {
  const {kinds, domain, fold} = membersOf(stored);
  const {unfolded} = membersOf(fold);
  return {
    ...(Array.isArray(kinds) && {kinds: stackKinds.filter(kind => kinds.includes(kind))}),
    ...(typeof domain === 'string' && {domain}),
    ...(Array.isArray(unfolded) && {
      fold: {unfolded: unfolded.filter(name => typeof name === 'string'), layers: true},
    }),
  };
}

function membersOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? value : {};
}
