import type {SortKey} from '../../../src/core/tabs/sort-rows.js';

/**
 * Returns the sort order after a click on a column: by that column alone, descending (texts ascending), or reversed if
 * that was the order already. With Shift the column is added as a further key, or reversed in its place.
 */
export function nextSort(sort: readonly SortKey[], column: number, isText: boolean, isAdded: boolean): SortKey[] {
  const known = sort.find(key => key.column === column);
  const key = {column, isDescending: known ? !known.isDescending : !isText};
  if (!isAdded) return [key];
  return known ? sort.map(other => (other === known ? key : other)) : [...sort, key];
}
