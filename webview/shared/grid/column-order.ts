import type {SortKey} from '../../../src/core/tabs/sort-rows.js';
import type {ColumnLayout} from './column-layouts.js';
import type {GridColumn} from './grid-table.js';

/**
 * Returns all columns from left to right. The default is the given order, with `isFirst` columns first. A column that
 * the layout does not contain follows its usual predecessor.
 */
export function columnOrder(columns: readonly GridColumn[], {order}: Pick<ColumnLayout, 'order'>): number[] {
  const places = columns.map((_, at) => at);
  const usual = [...places.filter(at => columns[at].isFirst), ...places.filter(at => !columns[at].isFirst)];
  if (order.length === 0) return usual;
  const byId = new Map(columns.map(({id}, at) => [id, at]));
  const placed = order.flatMap(id => byId.get(id) ?? []);
  const known = new Set(placed);
  usual.forEach((column, at) => {
    if (known.has(column)) return;
    placed.splice(at === 0 ? 0 : placed.indexOf(usual[at - 1]) + 1, 0, column);
  });
  return placed;
}

/** Returns the shown columns: at least one, and always those that sort the rows, so that the order is visible. */
export function shownColumns(
  columns: readonly GridColumn[],
  layout: Pick<ColumnLayout, 'order' | 'hidden'>,
  sort: readonly SortKey[],
): number[] {
  const all = columnOrder(columns, layout);
  const shown = all.filter(at => !layout.hidden.includes(columns[at].id) || sort.some(({column}) => column === at));
  return shown.length > 0 ? shown : all.slice(0, 1);
}

/** Returns the ids of all columns after one was moved to the position of another shown column. */
export function movedOrder(
  columns: readonly GridColumn[],
  layout: Pick<ColumnLayout, 'order'>,
  column: number,
  target: number,
): string[] {
  const order = columnOrder(columns, layout);
  const [from, to] = [order.indexOf(column), order.indexOf(target)];
  order.splice(from, 1);
  order.splice(to, 0, column);
  return order.map(at => columns[at].id);
}
