import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, expect, it} from 'vitest';
import {operationOrigins} from '../../src/core/figures/operation-origins.js';
import {gpuSummary} from '../../src/core/questions/info.js';
import {rangeRows} from '../../src/core/figures/range-rows.js';
import {shortKernelName} from '../../src/core/names/short-kernel-name.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {kindIndex} from '../../src/core/trace/slices.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {sqlTables} from '../../src/sql/schema.js';
import {TraceDatabase} from '../../src/sql/trace-database.js';
import {project} from '../support/project.js';
import {describeEachFile} from '../support/each-file.js';
import {dataFiles} from '../support/real-data.js';
import {sqlRows, type SqlRow} from '../support/sql-rows.js';

const manual = readFileSync(join(project, 'docs', 'sql.md'), 'utf8');
// Those after the ten are tested beside, in hta-queries.test.ts.
const ten = manual.slice(0, manual.indexOf('## Three that HTA plots'));
const queries = [...ten.matchAll(/```sql\n([\s\S]*?)```/g)].map(match => match[1] ?? '');

it('docs/sql.md has ten queries, and every table and column with what it means', () => {
  expect(queries).toHaveLength(10);
  for (const {name, about, columns} of sqlTables) {
    const section = manual.slice(manual.indexOf(`### ${name}\n`)).split('\n### ')[0] ?? '';
    expect(section).toContain(about);
    const rows = [...section.matchAll(/^\| `(\w+)` +\| (\w+) +\| (.*?)\. +\|$/gm)];
    expect(rows.map(row => row.slice(1))).toEqual(
      columns.map(column => [column.name, column.type === 'name' ? 'text' : column.type, column.about]),
    );
  }
});

const files = [...dataFiles('kineto', '.json.gz'), ...dataFiles('nsys', '.sqlite')];
const sum = (rows: readonly SqlRow[], column: string) => rows.reduce((total, row) => total + Number(row[column]), 0);

describeEachFile(files)('the documented queries on $name', ({path}) => {
  let trace: Trace;
  const database = new TraceDatabase();
  const run = (number: number) => sqlRows(trace, queries[number - 1] ?? '', database);
  beforeAll(async () => {
    trace = await openTrace(path);
  });

  it('1: kernels by name have the work and the count of the trace', async () => {
    const expected = new Map<string, number>();
    const {slices, strings, gpuOperations} = trace;
    for (const slice of gpuOperations.slice) {
      if (slices.kind[slice] !== kindIndex.kernel) continue;
      const name = shortKernelName(strings.get(slices.name[slice] ?? 0));
      expected.set(name, (expected.get(name) ?? 0) + (slices.durationNs[slice] ?? 0));
    }
    const rows = await run(1);
    expect(rows).toHaveLength(Math.min(20, expected.size));
    for (const row of rows) expect(row['gpu_work_ns']).toBe(expected.get(String(row['short_name'])));
  });

  it('2: work by range and bucket is that of `gpu-lens ranges`, and adds up to all', async () => {
    const rows = await run(2);
    expect(sum(rows, 'gpu_self_ns')).toBe(gpuSummary(trace).workNs);
    const byPath = rangeRows(trace, 'path');
    for (const row of rows) {
      const same = byPath.find(({path: own, name}) => (own ?? name) === row['range']);
      expect(row['gpu_self_ns']).toBe(row['is_backward'] === 1 ? same?.backwardGpuSelfNs : same?.gpuSelfNs);
    }
  });

  it('3: ranges by name have the count and the time of `gpu-lens ranges`', async () => {
    const expected = rangeRows(trace, 'name').slice(0, -3);
    const rows = await run(3);
    expect(rows).toHaveLength(expected.length);
    for (const row of rows) {
      const same = expected.find(({name}) => name === row['name']);
      expect(row['instances']).toBe(same?.count);
      expect(Number(row['slowest_ns'])).toBeGreaterThanOrEqual(Number(row['mean_ns']));
    }
  });

  it('4 and 5: operators and Python lines are those of the origins', async () => {
    const origins = operationOrigins(trace);
    const {slices, gpuOperations} = trace;
    const workNs = (of: Int32Array, kernelsOnly: boolean) =>
      gpuOperations.slice.reduce((total, slice, operation) => {
        const counts = (of[operation] ?? -1) >= 0 && (!kernelsOnly || slices.kind[slice] === kindIndex.kernel);
        return total + (counts ? (slices.durationNs[slice] ?? 0) : 0);
      }, 0);
    const operators = await sqlRows(trace, (queries[3] ?? '').replace('LIMIT 20', ''), database);
    expect(sum(operators, 'gpu_work_ns')).toBe(workNs(origins.operator, true));
    expect(sum(await run(5), 'gpu_work_ns')).toBe(workNs(origins.frame, false));
  });

  it('6: gaps of devices add up to what they are idle', async () => {
    const rows = await sqlRows(trace, (queries[5] ?? '').replace('LIMIT 20', ''), database);
    const {spanNs, busyNs} = gpuSummary(trace);
    expect(sum(rows, 'idle_ns')).toBe(spanNs - busyNs);
  });

  it('7: every kernel with a launch is in a queue', async () => {
    const launched = await sqlRows(trace, 'SELECT count(launch_slice_id) AS n FROM kernels', database);
    expect(sum(await run(7), 'launched')).toBe(launched[0]?.['n']);
  });

  it('8: copies are as many as the trace counts', async () => {
    expect(sum(await run(8), 'copies')).toBe(trace.counts.memcpys);
  });

  it('9: API calls are as many as the trace has', async () => {
    expect(sum(await run(9), 'calls')).toBe(trace.apiCalls.length);
  });

  it('10: every counter has a peak that is one of its samples', async () => {
    const rows = await run(10);
    expect(rows).toHaveLength(trace.counters.filter(({firstSample, endSample}) => endSample > firstSample).length);
    const values = new Set(trace.counterSamples.value);
    for (const row of rows) expect(values.has(Number(row['peak']))).toBe(true);
  });
});
