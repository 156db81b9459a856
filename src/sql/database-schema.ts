import {sqlTables, type SqlColumn, type SqlTable} from './schema.js';

/** The table of texts that rows share. */
export const textTable = '_texts';

/** Returns the name of the table behind a view. */
export function storedName(table: string): string {
  return `_${table}`;
}

/** The tables that are stored. `kernels` is not: it is a part of `gpu_operations`. */
export const storedTables: readonly SqlTable[] = sqlTables.filter(({name}) => name !== 'kernels');

/**
 * Returns the statements that create an empty database: for each table, a stored table with numbers and short texts,
 * and a view of its name that looks up shared texts.
 *
 *     _slices: id, name (a number), …     _texts: id, text     slices: id, name (the text), …
 *
 * A query looks up only the columns that it names.
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
 * Returns the expression that looks up a shared text. A join would make comparisons of texts faster by half, but SQLite
 * also joins for sums and counts that name no text, and joins at most 64 tables.
 */
function textOf(column: string): string {
  return `(SELECT text FROM ${textTable} WHERE id = o.${column})`;
}
