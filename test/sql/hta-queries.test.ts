import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {openTrace} from '../../src/importers/open-trace.js';
import {itEachFile} from '../support/each-file.js';
import {kineto} from '../support/kineto-events.js';
import {project} from '../support/project.js';
import {dataFiles} from '../support/real-data.js';
import {sqlRows, type SqlRow} from '../support/sql-rows.js';
import {traceOfEvents} from '../support/trace-of-events.js';

const manual = readFileSync(join(project, 'docs', 'sql.md'), 'utf8');
const section = manual.slice(manual.indexOf('## Three that HTA plots'), manual.indexOf('## Tables'));
const [queues = '', bandwidth = '', sequences = ''] = [...section.matchAll(/```sql\n([^]*?)```/g)].map(
  match => match[1],
);

const copy = (ts: number, dur: number, bytes: number) => ({
  ...kineto.kernel(0, ts, dur, {bytes}),
  ...{name: 'Memcpy HtoD (Pageable -> Device)', cat: 'gpu_memcpy'},
});

it('a queue grows when an operation is launched, and shrinks when it begins', async () => {
  const trace = await traceOfEvents([
    ...[kineto.call(1, 10, 2), kineto.call(2, 13, 2), kineto.call(3, 50, 2)],
    // The last one begins before its call, by skew of clocks: it was never queued.
    ...[kineto.kernel(1, 20, 10), kineto.kernel(2, 30, 5), kineto.kernel(3, 49, 5)],
  ]);
  const rows = await sqlRows(trace, queues);
  const first = Number(rows[0]?.['at_ns']);
  expect(rows.map(row => [Number(row['at_ns']) - first, row['queued']])).toEqual([
    ...[
      [0, 1],
      [3000, 2],
      [10_000, 1],
      [20_000, 0],
    ],
    ...[
      [40_000, 1],
      [40_000, 0],
    ],
  ]);
});

it('bandwidths of copies at one time add up', async () => {
  // 3 GB/s from 10 to 20 µs, 2 GB/s from 15 to 25 µs.
  const trace = await traceOfEvents([copy(10, 10, 30_000), copy(15, 10, 20_000)]);
  expect((await sqlRows(trace, bandwidth)).map(row => row['gigabytes_per_second'])).toEqual([3, 5, 2, 0]);
});

itEachFile(dataFiles('kineto', 'ddp-rank-0-of-128.json.gz'))(
  'a public rank has HTA’s figures: $name',
  async ({path}) => {
    const trace = await openTrace(path);
    const by = (rows: readonly SqlRow[], column: string, value: string) => {
      const groups = Map.groupBy(rows, row => String(row[column]));
      return [...groups].map(([key, own]) => [key, own.length, Math.max(...own.map(row => Number(row[value])))]);
    };
    // HTA at f4d0062, with include_last_profiler_step: get_queue_length_time_series, rows and greatest by stream.
    expect(by(await sqlRows(trace, queues), 'stream', 'queued')).toEqual([
      ...[
        ['7', 2104, 80],
        ['23', 252, 4],
        ['25', 32, 8],
      ],
      ...[
        ['84', 16, 2],
        ['203', 4, 1],
      ],
    ]);
    // get_memory_bw_time_series, rows and greatest by direction. HTA takes the rates that Kineto wrote, of durations in ns;
    // those in the file are whole µs, so that short copies differ.
    const rows = await sqlRows(trace, bandwidth);
    const direction = rows.map(row => ({...row, name: String(row['name']).split(' (')[0] ?? ''}));
    const rates = by(direction, 'name', 'gigabytes_per_second');
    const expected: readonly (readonly [name: string, count: number, most: number])[] = [
      ['Memcpy DtoD', 16, 960.234432],
      ['Memcpy DtoH', 16, 1.400735],
      ['Memcpy HtoD', 48, 6.830521],
      ['Memset', 20, 753.585586],
    ];
    expect(rates.map(([name, count]) => [name, count])).toEqual(expected.map(([name, count]) => [name, count]));
    expected.forEach(([, , most], at) => {
      expect(Math.abs(Number(rates[at]?.[2]) / most - 1)).toBeLessThan(0.1);
    });
    // get_frequent_cuda_kernel_sequences of aten::addmm, of two kernels or more: count, GPU and CPU time.
    const found = await sqlRows(trace, sequences);
    expect(found.map(row => [row['times'], row['gpu_work_ns'], row['cpu_ns']])).toEqual([
      [5, 519_000, 255_000],
      [2, 64_000, 166_000],
    ]);
    expect(String(found[0]?.['kernels'])).toMatch(/^ampere_sgemm_32x128_tn \| void epilogue::impl::globalKernel</);
  },
);
