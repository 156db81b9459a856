import type {SortKey} from '../../../src/core/tabs/sort-rows.js';

/**
 * The sort order after a click on a column: the column alone, from the largest on (texts from A on), and the other way
 * round where it was so already. With Shift the column is one more, or turned round where it stands.
 */
export function nextSort(sort: readonly SortKey[], column: number, isText: boolean, isAdded: boolean): SortKey[] {
  const known = sort.find(key => key.column === column);
  const key = {column, isDescending: known ? !known.isDescending : !isText};
  if (!isAdded) return [key];
  return known ? sort.map(other => (other === known ? key : other)) : [...sort, key];
}
