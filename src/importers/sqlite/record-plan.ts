import {absent, type BatchBuilder} from './batch-builder.js';
import {NotPlain} from './not-plain.js';
import {plainDefault, type PlainTable} from './plain-table.js';
import {rowsPerBatch, type ColumnForm, type ColumnRequests} from './table-source.js';

/** What is done with a stored column. */
export const action = {skip: 0, integer: 1, halves: 2, text: 3, rowid: 4} as const;

/**
 * How records of a table become rows of a batch, by stored column:
 *
 *     column       action   first            second
 *     start        integer  0                         → values[0 + row]
 *     returnValue  skip
 *     globalTid    halves   8192             16384    → bits from 24 up, bits below
 *
 * `first` and `second` say where the column begins in the batch's block of values.
 */
export interface RecordPlan {
  /** Columns behind this one are not looked at. */
  readonly columnCount: number;
  readonly actions: Uint8Array;
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** Of rows that end before the column. */
  readonly otherwise: Float64Array;
}

/** @throws NotPlain where a wanted column has a default that only SQL can work out */
export function planRecord<R extends ColumnRequests>(table: PlainTable, batch: BatchBuilder<R>): RecordPlan {
  const {length} = table.columns;
  // Of a number whose two parts are told apart, the part that nobody asked for goes to the batch's spare column.
  const spare = batch.requests.length * rowsPerBatch;
  const plan = {
    columnCount: 0,
    actions: new Uint8Array(length),
    first: new Int32Array(length).fill(spare),
    second: new Int32Array(length).fill(spare),
    otherwise: new Float64Array(length).fill(NaN),
  };
  batch.requests.forEach(({column: name, form}, at) => {
    const column = table.columns.findIndex(known => known.name === name);
    if (column < 0) return;
    const {isRowid, otherwise} = table.columns[column];
    const wanted = isRowid ? action.rowid : actionOf[form];
    const known = plan.actions[column];
    if ((known !== action.skip && (known !== wanted || wanted !== action.halves)) || (isRowid && form !== 'integer')) {
      throw new NotPlain(`${name} is wanted in two forms`);
    }
    plan.actions[column] = wanted;
    (form === 'bits-0-23' ? plan.second : plan.first)[column] = at * rowsPerBatch;
    plan.otherwise[column] = defaultOf(otherwise, form);
    plan.columnCount = Math.max(plan.columnCount, column + 1);
  });
  return plan;
}

const actionOf: Readonly<Record<ColumnForm, number>> = {
  integer: action.integer,
  'bits-24-up': action.halves,
  'bits-0-23': action.halves,
  text: action.text,
};

function defaultOf(sql: string | null, form: ColumnForm): number {
  const value = plainDefault(sql);
  if (value === undefined || (form !== 'integer' && !Number.isNaN(value)))
    throw new NotPlain(`a default of ${String(sql)}`);
  return Number.isNaN(value) ? absent(form) : value;
}
