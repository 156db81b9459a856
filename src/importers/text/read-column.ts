import type {TextColumn} from '../../core/trace/text-table.js';

/** How a column's texts become numbers. */
export interface ReadColumn extends TextColumn {
  /** The power of ten from a number without a unit to the column's own; null if such a number is meaningless. */
  readonly exponent: number | null;
}
