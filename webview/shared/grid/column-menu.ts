import type {SortKey} from '../../../src/core/tabs/sort-rows.js';
import type {MenuItem} from '../menu.js';
import {columnOrder, movedOrder} from './column-order.js';
import type {ColumnLayouts} from './column-layouts.js';
import type {GridTable} from './grid-table.js';
import {nextSort} from './sorting.js';
import {t} from '../translate.js';

/** The context of a header's menu. */
export interface ColumnMenuContext {
  readonly table: GridTable<unknown>;
  readonly layouts: ColumnLayouts;
  /** The columns that are shown, from left to right. */
  readonly shown: readonly number[];
  readonly sort: ((keys: readonly SortKey[]) => void) | undefined;
  readonly filter: (() => void) | undefined;
  /** Called after columns have been moved, hidden or shown. */
  readonly laidOut: () => void;
}

/** Returns the actions for a column, and the list of columns to show. */
export function columnMenu(column: number, context: ColumnMenuContext): MenuItem[] {
  const {table, sort, filter} = context;
  const order = (isDescending: boolean) => () => sort?.([{column, isDescending}]);
  return [
    ...(sort
      ? [
          {text: t('Sort ascending'), run: order(false)},
          {text: t('Sort descending'), run: order(true)},
        ]
      : []),
    ...(filter ? [{text: t('Filter rows…'), run: filter}] : []),
    ...layoutItems(column, context),
    ...columnOrder(table.columns, context.layouts.of(table.key)).map(at => ({
      text: titleOf(table, at),
      isChecked: context.shown.includes(at),
      run: () => toggle(at, context),
    })),
  ];
}

function layoutItems(column: number, context: ColumnMenuContext): MenuItem[] {
  const {table, layouts, shown, laidOut} = context;
  const at = shown.indexOf(column);
  const move = (by: number) => () => {
    moveColumn(column, shown[at + by], context);
  };
  return [
    ...(at > 0 ? [{text: t('Move left'), run: move(-1)}] : []),
    ...(at >= 0 && at < shown.length - 1 ? [{text: t('Move right'), run: move(1)}] : []),
    ...(shown.length > 1 ? [{text: t('Hide {0}', titleOf(table, column)), run: () => toggle(column, context)}] : []),
    {
      text: t('Reset columns'),
      run: () => {
        layouts.reset(table.key);
        laidOut();
      },
    },
  ];
}

/** Moves a column to the position of another shown column. */
export function moveColumn(column: number, target: number, {table, layouts, laidOut}: ColumnMenuContext): void {
  layouts.change(table.key, {order: movedOrder(table.columns, layouts.of(table.key), column, target)});
  laidOut();
}

/** Hides a column, or shows it again. Rows that were sorted by it are then sorted by a shown column. */
function toggle(column: number, {table, layouts, shown, sort, laidOut}: ColumnMenuContext): void {
  const {hidden} = layouts.of(table.key);
  const {id} = table.columns[column];
  if (!shown.includes(column)) {
    layouts.change(table.key, {hidden: hidden.filter(other => other !== id)});
    laidOut();
    return;
  }
  const others = shown.filter(at => at !== column);
  if (others.length === 0) return;
  layouts.change(table.key, {hidden: [...hidden, id]});
  laidOut();
  if (!table.sort.some(key => key.column === column)) return;
  const left = table.sort.filter(key => key.column !== column);
  const first = others.find(at => !table.columns[at].isText) ?? others[0];
  sort?.(left.length > 0 ? left : nextSort([], first, table.columns[first].isText, false));
}

function titleOf({columns}: GridTable<unknown>, at: number): string {
  const {group = '', title} = columns[at];
  return [group, title].filter(text => text !== '').join(' ');
}
