import {sqlTables, type SqlColumn, type SqlTable} from './schema.js';

/** The table of texts that rows share. */
export const textTable = '_texts';

/** The table behind a view. */
export function storedName(table: string): string {
  return `_${table}`;
}

/** What is stored of each table: `kernels` is a part of `gpu_operations`. */
export const storedTables: readonly SqlTable[] = sqlTables.filter(({name}) => name !== 'kernels');

/**
 * The statements that make an empty database: for each table one that stores numbers and short texts, and a view of its
 * name which looks up the texts that rows share.
 *
 *     _slices: id, name (a number), …     _texts: id, text     slices: id, name (the text), …
 *
 * Nothing is looked up that a query does not name.
 */
export function schemaStatements(): string[] {
  return [
    `CREATE TABLE ${textTable} (id INTEGER PRIMARY KEY, text TEXT)`,
    ...storedTables.flatMap(table => [tableStatement(table), viewStatement(table, table.name, '')]),
    ...sqlTables
      .filter(({name}) => name === 'kernels')
      .map(kernels => viewStatement({...kernels, name: 'gpu_operations'}, 'kernels', " WHERE o.kind = 'kernel'")),
  ];
}

function tableStatement({name, columns}: SqlTable): string {
  return `CREATE TABLE ${storedName(name)} (${columns.map(columnDefinition).join(', ')})`;
}

function columnDefinition({name, type}: SqlColumn): string {
  if (name === 'id') return 'id INTEGER PRIMARY KEY';
  return `${name} ${type === 'name' ? 'INTEGER' : type.toUpperCase()}`;
}

function viewStatement({name: table, columns}: SqlTable, view: string, condition: string): string {
  const list = columns.map(({name, type}) => `${type === 'name' ? textOf(name) : `o.${name}`} AS ${name}`);
  return `CREATE VIEW ${view} AS SELECT ${list.join(', ')} FROM ${storedName(table)} AS o${condition}`;
}

/**
 * Of a text that rows share. A join would be faster by half where texts are compared, but SQLite makes it in sums and
 * counts that name no text, too, and joins at most 64 tables.
 */
function textOf(column: string): string {
  return `(SELECT text FROM ${textTable} WHERE id = o.${column})`;
}
