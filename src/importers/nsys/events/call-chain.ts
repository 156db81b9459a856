import type {NsysDatabase} from '../database/nsys-database.js';

/** A call chain may have any length; nobody reads more frames. */
const mostFrames = 64;

/** Where the call chains of a table's rows are. */
const chainOfTable: Readonly<Record<string, {readonly table: string; readonly idColumn: string}>> = {
  COMPOSITE_EVENTS: {table: 'SAMPLING_CALLCHAINS', idColumn: 'id'},
  OSRT_API: {table: 'OSRT_CALLCHAINS', idColumn: 'callchainId'},
  CUPTI_ACTIVITY_KIND_RUNTIME: {table: 'CUDA_CALLCHAINS', idColumn: 'callchainId'},
};

/** Returns the frames of a row's call chain, the innermost first: `symbol (module)`. Empty if it has none. */
export function callChain(db: NsysDatabase, table: string, row: Readonly<Record<string, unknown>>): string[] {
  const chain = Object.hasOwn(chainOfTable, table) ? chainOfTable[table] : undefined;
  const id = chain && row[chain.idColumn];
  if (!chain || typeof id !== 'bigint' || !db.has(chain.table, 'id', 'symbol', 'stackDepth')) return [];
  const name = (column: string) => `(select value from StringIds where StringIds.id = ${column})`;
  const module = db.has(chain.table, 'module') ? name('module') : 'null';
  const sql = `select ${name('symbol')}, ${module} from ${chain.table} where id = ${String(id)}
    order by stackDepth limit ${String(mostFrames)}`;
  return [...db.rows<[unknown, unknown]>(sql)].map(([symbol, file]) => {
    const frame = typeof symbol === 'string' && symbol !== '' ? symbol : '(unknown function)';
    return typeof file === 'string' && file !== '' ? `${frame} (${file})` : frame;
  });
}
