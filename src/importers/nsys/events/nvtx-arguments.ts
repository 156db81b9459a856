import type {SliceArgument} from '../../../core/questions/slice-details.js';
import type {NsysDatabase} from '../database/nsys-database.js';
import {processKeySql} from '../database/nsys-identity.js';

type Values = Readonly<Record<string, unknown>>;

/** ENUM_NSYS_EVENT_TYPE: the events that name a category or a domain. */
const categoryType = 33;
const domainType = 75;

/** The columns of NVTX's typed payload, one of which holds a value. */
const payloadColumns = ['uint64Value', 'int64Value', 'uint32Value', 'int32Value', 'doubleValue', 'floatValue'];
const ownColumns = new Set([
  ...payloadColumns,
  'text',
  'textId',
  'domainId',
  'category',
  'color',
  'jsonText',
  'jsonTextId',
]);

/**
 * Returns an NVTX event's text, the names of its domain and category, its colour and its payload. A payload is a
 * number or JSON; a binary payload with a schema is not decoded.
 */
export function nvtxArguments(db: NsysDatabase, row: Values): SliceArgument[] {
  const args: SliceArgument[] = [];
  const add = (name: string, value: string | null) => value !== null && args.push({name, value});
  add('text', stringOf(db, row['textId']) ?? textOf(row['text']));
  add('domain', domainOf(db, row));
  add('category', categoryOf(db, row));
  add('payload', payloadOf(row) ?? stringOf(db, row['jsonTextId']) ?? textOf(row['jsonText']));
  const color = row['color'];
  // ARGB; 0 is none.
  if (typeof color === 'bigint' && color > 0n) add('color', `#${color.toString(16).padStart(8, '0').slice(-6)}`);
  return args;
}

/** Returns whether `nvtxArguments` covers a column. */
export function isNvtxColumn(column: string): boolean {
  return ownColumns.has(column);
}

function payloadOf(row: Values): string | null {
  for (const column of payloadColumns) {
    const value = row[column];
    // SQLite has no unsigned integers: a large one is stored as a negative one.
    if (typeof value === 'bigint') return String(column === 'uint64Value' ? BigInt.asUintN(64, value) : value);
    if (typeof value === 'number') return String(value);
  }
  return null;
}

/** Null for the default domain, which has no name. */
function domainOf(db: NsysDatabase, row: Values): string | null {
  const id = row['domainId'];
  if (typeof id !== 'bigint' || id === 0n) return null;
  return eventText(db, row, domainType, `domainId = ${String(id)}`) ?? String(id);
}

/** Null for category 0, which means none. Categories are numbered per domain. */
function categoryOf(db: NsysDatabase, row: Values): string | null {
  const id = row['category'];
  if (typeof id !== 'bigint' || id === 0n) return null;
  const domain = row['domainId'];
  const inDomain = typeof domain === 'bigint' ? ` and domainId = ${String(domain)}` : '';
  const name = eventText(db, row, categoryType, `category = ${String(id)}${inDomain}`);
  return name === null ? String(id) : `${name} (${String(id)})`;
}

/** Returns the text of the event that names something of this type in the row's process. */
function eventText(db: NsysDatabase, row: Values, type: number, where: string): string | null {
  const process = row['globalTid'];
  if (typeof process !== 'bigint') return null;
  const table = 'NVTX_EVENTS';
  const sql = `select ${db.column(table, 'text', 'null')} as text, ${db.column(table, 'textId', 'null')} as textId from ${table}
    where eventType = ${String(type)} and ${where} and ${processKeySql('globalTid')} = ${processKeySql('?')} limit 1`;
  const found = db.row(sql, process);
  return found ? (stringOf(db, found['textId']) ?? textOf(found['text'])) : null;
}

function stringOf(db: NsysDatabase, id: unknown): string | null {
  if (typeof id !== 'bigint') return null;
  return textOf(db.row('select value from StringIds where id = ?', id)?.['value']);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
