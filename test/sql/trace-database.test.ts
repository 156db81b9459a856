import {describe, expect, it} from 'vitest';
import {sqlError} from '../../src/sql/sql-error.js';
import {sqlTables} from '../../src/sql/schema.js';
import {TraceDatabase} from '../../src/sql/trace-database.js';
import {sqlAnswer, sqlRows} from '../support/sql-rows.js';
import {traceFromText} from '../support/trace-from-text.js';

const trace = traceFromText(`
  range outer     ==========
  range inner      ====
  op aten::mm      ==
  call             A     B
  stream 7           AAA  BB.c
`);

describe('the tables of a trace', () => {
  it('kernels: know the range, the operator and the call that launched each', async () => {
    const sql = `SELECT name, start_ns, end_ns, duration_ns, stream, launch_name, range_name, range_path, bucket, operator
                 FROM kernels ORDER BY id`;
    const kernel = {stream: 7, bucket: null};
    expect(await sqlRows(trace, sql)).toEqual([
      expect.objectContaining({
        ...kernel,
        start_ns: 3000,
        duration_ns: 3000,
        end_ns: 6000,
        range_name: 'inner',
        range_path: 'outer/inner',
        operator: 'aten::mm',
      }),
      expect.objectContaining({...kernel, duration_ns: 2000, range_path: 'outer', operator: null}),
      expect.objectContaining({range_path: null, bucket: '(no launch call)', launch_name: null}),
    ]);
  });

  it('ranges: have the figures of their instances', async () => {
    const sql = 'SELECT path, duration_ns, gpu_work_ns, gpu_self_ns, gpu_operations, parent_id FROM ranges ORDER BY id';
    expect(await sqlRows(trace, sql)).toEqual([
      {path: 'outer', duration_ns: 10_000, gpu_work_ns: 5000, gpu_self_ns: 2000, gpu_operations: 2, parent_id: null},
      {path: 'outer/inner', duration_ns: 4000, gpu_work_ns: 3000, gpu_self_ns: 3000, gpu_operations: 1, parent_id: 0},
    ]);
  });

  it('slices: know the slice around them', async () => {
    const sql = `SELECT s.name, p.name AS parent FROM slices s JOIN slices p ON p.id = s.parent_id
                 WHERE s.kind IN ('cpu_op', 'user_annotation') ORDER BY s.id`;
    expect(await sqlRows(trace, sql)).toEqual([
      {name: 'inner', parent: 'outer'},
      {name: 'aten::mm', parent: 'inner'},
    ]);
  });

  it.each(sqlTables)(
    '$name: has every column that it is said to have, and can be read whole',
    async ({name, columns}) => {
      const [row] = await sqlRows(trace, `SELECT * FROM ${name}`);
      const database = new TraceDatabase();
      const {statement} = database.prepare(`SELECT * FROM ${name}`);
      expect(statement.columns().map(column => column.name)).toEqual(columns.map(column => column.name));
      if (row) expect(Object.keys(row)).toEqual(columns.map(column => column.name));
    },
  );

  it('fills only the columns that a query reads, and more when another does', async () => {
    const database = new TraceDatabase();
    const {wanted} = database.prepare('SELECT name FROM slices WHERE duration_ns > 5');
    expect(wanted).toEqual(
      new Map([
        ['_slices', new Set(['name', 'duration_ns'])],
        ['_texts', new Set(['text'])],
      ]),
    );
    expect(database.prepare('SELECT count(*) FROM slices').wanted).toEqual(new Map([['_slices', new Set()]]));
    const names = await sqlRows(trace, 'SELECT name FROM slices ORDER BY id', database);
    const again = await sqlRows(trace, 'SELECT name, start_ns FROM slices ORDER BY id', database);
    expect(again.map(({name}) => ({name}))).toEqual(names);
    expect(again.every(({start_ns}) => typeof start_ns === 'number')).toBe(true);
    expect(await sqlRows(trace, 'SELECT count(*) AS n FROM slices', database)).toEqual([{n: trace.slices.length}]);
  });

  it.each([
    ['a common table expression', 'WITH a AS (SELECT name FROM kernels) SELECT count(name) AS n FROM a'],
    ['a subquery', 'SELECT count(*) AS n FROM (SELECT name FROM kernels GROUP BY id, name)'],
    ['EXISTS', 'SELECT count(*) AS n FROM kernels k WHERE EXISTS (SELECT 1 FROM slices s WHERE s.id = k.slice_id)'],
    ['a left join', 'SELECT count(*) AS n FROM kernels k LEFT JOIN ranges r ON r.id = k.range_id'],
    ['a window', 'SELECT max(n) AS n FROM (SELECT row_number() OVER (ORDER BY start_ns) AS n FROM kernels)'],
    ['UNION ALL', 'SELECT count(*) AS n FROM (SELECT 1 FROM kernels UNION ALL SELECT 1 FROM notes)'],
    ['IN', 'SELECT count(*) AS n FROM kernels WHERE slice_id IN (SELECT id FROM slices)'],
    ['a join by name', 'SELECT count(*) AS n FROM kernels JOIN slices USING (name, start_ns)'],
    ['other cases', 'SELECT COUNT(Kernels.NAME) AS n FROM KERNELS'],
  ])('sees all rows through %s', async (_, sql) => {
    expect(await sqlRows(trace, sql)).toEqual([{n: 3}]);
  });
});

describe('runQuery(query, limitRows, send)', () => {
  const numbers = (to: number) =>
    `WITH RECURSIVE a(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM a WHERE x < ${String(to)}) SELECT x FROM a`;

  it('gives the first rows, and counts the others', async () => {
    const {rows, end} = await sqlAnswer(trace, numbers(5000), 3);
    expect(rows).toEqual([{x: 1}, {x: 2}, {x: 3}]);
    expect(end).toMatchObject({sentRows: 3, rowCount: 5000, isCounted: true});
  });

  it('counts for some seconds where rows never end', async () => {
    const {end} = await sqlAnswer(trace, numbers(1e12), 3);
    expect(end).toMatchObject({sentRows: 3, isCounted: false});
    expect(end.rowCount).toBeGreaterThan(10_000);
  });

  it('keeps every digit, tells columns of one name apart, and cuts long texts', async () => {
    const sql = "SELECT 9007199254740993 AS a, 1.5 AS a, x'00ff' AS b, NULL AS c, printf('%.*c', 1000001, 'x') AS long";
    const {rows, end} = await sqlAnswer(trace, sql, 10);
    expect(rows[0]).toMatchObject({a: 9007199254740993n, 'a:1': 1.5, b: "x'00ff'", c: null});
    expect(String(rows[0]?.['long'])).toHaveLength(1_000_001);
    expect(end.cutTexts).toBe(1);
  });
});

describe('what is refused', () => {
  const refusal = (sql: string) => {
    try {
      const database = new TraceDatabase();
      const query = database.prepare(sql);
      database.fill(trace, query, () => undefined);
      return query.statement.all();
    } catch (error) {
      const {code, message} = sqlError(error);
      return `${code}: ${message}`;
    }
  };

  it.each([
    ['WITH a AS (SELECT 1) DELETE FROM _slices', 'sql/not-allowed: Only statements that read can be run'],
    [
      'WITH a AS (SELECT 1) INSERT INTO _notes SELECT 1, 2 RETURNING code',
      'sql/not-allowed: Only statements that read can be run',
    ],
    ["SELECT load_extension('/tmp/x')", 'sql/error: '],
    ["SELECT writefile('/tmp/x', 'y')", 'sql/error: SQLite: no such function: writefile.'],
    ["SELECT readfile('/etc/passwd')", 'sql/error: SQLite: no such function: readfile.'],
    ["SELECT fts3_tokenizer('simple', x'00')", 'sql/error: '],
    ['SELECT * FROM kernel', 'sql/error: There is no table "kernel": did you mean kernels?'],
    ['SELECT * FROM gpuOperations', 'sql/error: There is no table "gpuOperations": did you mean gpu_operations?'],
    ['SELECT * FROM xyzzy', 'The tables are kernels, gpu_operations, '],
    ['SELECT durationNs FROM kernels', 'sql/error: There is no column "durationNs": did you mean duration_ns?'],
    ['SELECT k.nam FROM kernels k', 'There is no column "k.nam": did you mean name?'],
    ['SELECT FROM', 'sql/error: SQLite: near "FROM": syntax error.'],
    ['SELECT ?', 'sql/error: The query has parameters'],
    ['SELECT name FROM kernels WHERE id = :id', 'sql/error: The query has parameters'],
  ])('%s', (sql, message) => {
    expect(refusal(sql)).toContain(message);
  });

  it('lets nothing be switched on through a table-valued pragma', () => {
    expect(refusal('SELECT * FROM pragma_query_only')).toEqual([[1n]]);
    expect(refusal('SELECT * FROM pragma_query_only(0)')).toContain('sql/error');
    expect(refusal("SELECT * FROM pragma_temp_store_directory('/')")).toContain('sql/error');
  });
});
