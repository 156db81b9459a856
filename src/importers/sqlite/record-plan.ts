import {absent, type BatchBuilder} from './batch-builder.js';
import {NotPlain} from './not-plain.js';
import {plainDefault, type PlainColumn, type PlainTable} from './plain-table.js';
import {rowsPerBatch, type ColumnForm, type ColumnRequests} from './table-source.js';

/** How a stored column is used: as a number, as two parts of one, as a text, or as an alias of the row id. */
export type ColumnUse = 'integer' | 'halves' | 'text' | 'rowid';

/**
 * How a stored column becomes columns of a batch, which begin at `first` and `second` in the batch's block of values:
 *
 *     column     use      first  second
 *     start      integer      0
 *     globalTid  halves    8192   16384    bits from 24 up, bits below
 */
export interface PlannedColumn {
  /** Its index among the table's columns. */
  readonly column: number;
  readonly use: ColumnUse;
  readonly first: number;
  readonly second: number;
  /** The value in rows that end before the column. */
  readonly otherwise: number;
}

/**
 * Returns the stored columns that a batch wants, in their order; marks the columns that the table lacks in the batch.
 *
 * @throws NotPlain if a column has a default that only SQL can compute, or is wanted in two forms
 */
export function planRecord<R extends ColumnRequests>(table: PlainTable, batch: BatchBuilder<R>): PlannedColumn[] {
  // If only one part of a number is wanted, the other goes to the batch's spare column.
  const spare = batch.requests.length * rowsPerBatch;
  const planned = new Map<number, PlannedColumn>();
  batch.requests.forEach(({column: name, form}, at) => {
    const column = table.columns.findIndex(known => known.name === name);
    if (column < 0) {
      batch.leaveOut(at);
      return;
    }
    planned.set(
      column,
      planColumn(column, table.columns[column], form, at * rowsPerBatch, planned.get(column) ?? spare),
    );
  });
  return [...planned.values()].sort((a, b) => a.column - b.column);
}

/** @param known the plan for the other part of the column, or the place for a part that nobody wants */
function planColumn(
  column: number,
  {name, isRowid, otherwise}: PlainColumn,
  form: ColumnForm,
  target: number,
  known: PlannedColumn | number,
): PlannedColumn {
  const use = isRowid ? 'rowid' : useOf[form];
  const isFirst = typeof known === 'number';
  if ((!isFirst && (use !== 'halves' || known.use !== use)) || (isRowid && form !== 'integer')) {
    throw new NotPlain(`${name} is wanted in two forms`);
  }
  const {first, second} = isFirst ? {first: known, second: known} : known;
  const isSecond = form === 'bits-0-23';
  return {
    column,
    use,
    first: isSecond ? first : target,
    second: isSecond ? target : second,
    otherwise: defaultOf(otherwise, form),
  };
}

const useOf: Readonly<Record<ColumnForm, ColumnUse>> = {
  integer: 'integer',
  'bits-24-up': 'halves',
  'bits-0-23': 'halves',
  text: 'text',
};

function defaultOf(sql: string | null, form: ColumnForm): number {
  const value = plainDefault(sql);
  if (value === undefined || (form !== 'integer' && !Number.isNaN(value))) {
    throw new NotPlain(`a default of ${String(sql)}`);
  }
  return Number.isNaN(value) ? absent(form) : value;
}
