import {join} from 'node:path';
import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import {openTrace} from '../../src/importers/open-trace.js';
import {loadReportDetails} from '../../src/importers/report-details.js';
import {columnDetails, neededDetails} from '../../src/sql/needed-details.js';
import {TraceDatabase} from '../../src/sql/trace-database.js';
import {ofEvents} from '../support/trace-of-events.js';
import {GpuProgram} from '../support/gpu-program.js';
import {kineto} from '../support/kineto-events.js';
import {dataFolder, hasData} from '../support/real-data.js';
import {sqlRows, type SqlRow} from '../support/sql-rows.js';

/** The rows of a query with all that is read again from the file. */
async function rowsOf(path: string, sql: string): Promise<SqlRow[]> {
  const trace = await openTrace(path);
  const database = new TraceDatabase();
  database.addDetails(await loadReportDetails(path, trace, columnDetails));
  return sqlRows(trace, sql, database);
}

const needed = (sql: string) => [...neededDetails(new TraceDatabase().prepare(sql).wanted)];

it('the file is read again for the columns that need it alone', () => {
  expect(needed('SELECT name, bytes FROM gpu_operations')).toEqual([]);
  expect(needed('SELECT count(*) FROM gpu_operations WHERE source_memory IS NULL')).toEqual(['memories']);
  expect(needed('SELECT flop FROM operators')).toEqual(['shapes']);
  expect(needed('SELECT count(*) FROM collectives')).toEqual(['collectives']);
});

it('tables that were filled before have what is read again', async () => {
  const program = new GpuProgram().launch({name: 'Memcpy HtoD (Pinned -> Device)', gpu: 5, bytes: 8});
  const operator = {...kineto.op('aten::mm', 100, 10), args: {'External id': 7, ...shapes([16, 32], [32, 8])}};
  await ofEvents([...program.events, operator], {}, async path => {
    const trace = await openTrace(path);
    const database = new TraceDatabase();
    const sql = 'SELECT name, flop, input_dims, input_types FROM operators';
    expect(await sqlRows(trace, sql, database)).toMatchObject([{flop: null}]);
    database.addDetails(await loadReportDetails(path, trace, new Set(['shapes'])));
    expect(await sqlRows(trace, sql, database)).toEqual([
      // 2·16·32·8
      {name: 'aten::mm', flop: 8192, input_dims: '[[16,32],[32,8]]', input_types: '["c10::Half","c10::Half"]'},
    ]);
    expect(await sqlRows(trace, 'SELECT source_memory, target_memory FROM gpu_operations', database)).toEqual([
      {source_memory: 'Pinned', target_memory: 'Device'},
    ]);
  });
});

const shapes = (...dims: readonly (readonly number[])[]) => ({
  'Input Dims': dims,
  'Input type': dims.map(() => 'c10::Half'),
});

it('collectives have the bandwidths that NCCL’s tests count, and what the link carries', async () => {
  const args = {
    ...{stream: 7, device: 0, 'Collective name': 'allreduce', dtype: 'Float', 'Group size': 4},
    ...{'In msg nelems': 1_000_000, 'Out msg nelems': 1_000_000, 'Process Group Name': '0'},
  };
  const kernel = {
    ph: 'X',
    cat: 'kernel',
    name: 'ncclDevKernel_AllReduce_Sum_f32_RING_LL',
    pid: 0,
    tid: 7,
    ts: 10,
    dur: 100,
    args,
  };
  const members = {deviceProperties: [{id: 0, name: 'NVIDIA A100-SXM4-80GB'}]};
  const [row] = await ofEvents([kernel], members, path => rowsOf(path, 'SELECT * FROM collectives'));
  // 4 MB in 100 µs are 40 GB/s; of four ranks the bus carries 2 · 3/4 as much. NVLink of an A100: 600 GB/s both ways.
  expect(row).toMatchObject({operation: 'all_reduce', ranks: 4, bytes: 4e6, busy_ns: 100_000, exposed_ns: 100_000});
  expect(row).toMatchObject({bus_bytes_per_second: 60e9, link_bytes_per_second: 300e9});
  // As in the view of a job (docs/metrics.md#job-link): three links of 64 GB/s to three others; PCIe boards may be joined.
  for (const [name, link] of [
    ['AMD Instinct MI300X', 192e9],
    ['NVIDIA A100-PCIE-40GB', null],
    ['Tesla V100-SXM2-32GB', null],
    ['NVIDIA L40S', 32e9],
  ]) {
    const named = {deviceProperties: [{id: 0, name}]};
    const [other] = await ofEvents([kernel], named, path => rowsOf(path, 'SELECT * FROM collectives'));
    expect(other).toMatchObject({link_bytes_per_second: link});
  }
});

describe.skipIf(!hasData)('the memories of exports', () => {
  it.each(['cs336-2.7b-a100', 'cloverleaf-4xa100-mpi', 'train-2xh100-2proc', 'saxpy-mpi-a100-schema2.9'])(
    '%s: are those of the file, copy by copy',
    async name => {
      const path = join(dataFolder, 'nsys', `${name}.sqlite`);
      const sql = `SELECT source_memory AS source, target_memory AS target, count(*) AS n, sum(duration_ns) AS ns FROM gpu_operations
        WHERE kind = 'gpu_memcpy' GROUP BY 1, 2 ORDER BY 1, 2`;
      const db = new Database(path, {readonly: true});
      const label = (column: string) =>
        `CASE ${column} WHEN 0 THEN 'Pageable' WHEN 1 THEN 'Pinned' WHEN 2 THEN 'Device' END`;
      const expected = db
        .prepare(
          `SELECT ${label('srcKind')} AS source, ${label('dstKind')} AS target, count(*) AS n, sum("end" - start) AS ns FROM CUPTI_ACTIVITY_KIND_MEMCPY GROUP BY 1, 2 ORDER BY 1, 2`,
        )
        .all();
      db.close();
      expect(expected.length).toBeGreaterThan(0);
      expect(await rowsOf(path, sql)).toEqual(expected);
    },
  );
});
