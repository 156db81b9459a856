import {readFileSync, writeFileSync} from 'node:fs';
import {gzipSync} from 'node:zlib';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {columnHeader, type Cell, type Report, type ReportRows} from '../../../src/core/reports/report.js';
import {wholeTrace, type ReportScope} from '../../../src/core/scope/report-scope.js';
import {reportsText} from '../../../src/core/reports/report-text.js';
import {parseReportRequest, reportDefinitions} from '../../../src/core/reports/reports.js';
import {reportOfFile, reportOfTrace, reportsOfFile} from '../../support/make-report.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {project, temporaryFolder} from '../../support/project.js';
import {writeNsysDatabase} from '../../support/nsys-database.js';
import {ownProfiles} from '../../support/own-profiles.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles} from '../../support/real-data.js';
import {traceFromText} from '../../support/trace-from-text.js';

const folder = temporaryFolder();

/** The cells of some columns, row by row. */
function columnsOf({columns, rows}: Report, ...headers: string[]): (Cell | undefined)[][] {
  const at = headers.map(header => columns.findIndex(column => columnHeader(column) === header));
  return Array.from({length: rows.length}, (_, row) => at.map(column => rows.cells(row)[column]));
}

describe('nvtx_pushpop_trace', () => {
  it('keeps ranges of the same interval, of which nsys loses both and all inside: the earlier is the outer one', () => {
    const report = reportOfTrace(
      traceFromText(`
        range outer     ========
        range same      ========
        range inner       ===
      `),
      'nvtx_pushpop_trace',
    );
    expect(columnsOf(report, 'Name', 'Lvl', 'NumChild', 'DurChild (ns)', 'RangeStack', 'NameTree')).toEqual([
      ['outer', 0, 1, 8000, ':1', 'outer'],
      ['same', 1, 1, 3000, ':1:2', '--same'],
      ['inner', 2, 0, 0, ':1:2:3', '----inner'],
    ]);
  });
});

describe('nvtx_gpu_proj_trace', () => {
  it('counts a call for a range only if it lies in it whole, bounds included', () => {
    const report = reportOfTrace(
      traceFromText(`
        range a         ====
        call            A  BB C
        range b              ==
        stream 7          A B  C
      `),
      'nvtx_gpu_proj_trace',
    );
    expect(columnsOf(report, 'Name', 'Projected Start (ns)', 'Projected Duration (ns)', 'NumGPUOps')).toEqual([
      ['a', 2000, 1000, 1],
      ['b', 7000, 1000, 1],
    ]);
  });
});

describe('a report with a scope', () => {
  const trace = traceFromText(`
    range a         ==== ====
    call            A B  C
    stream 7          AA BBBB C
  `);

  it('leaves operations, calls and ranges out whose mask is 0', () => {
    const operations = Uint8Array.of(1, 0, 1);
    const slices = Uint8Array.from({length: trace.slices.length}, (_, row) => (row % 2 === 0 ? 1 : 0));
    const rowsOf = (name: string, scope: ReportScope) => reportOfTrace(trace, name, scope);
    expect(columnsOf(rowsOf('cuda_gpu_kern_sum', {...wholeTrace, operations}), 'Name', 'Instances')).toEqual([
      ['kernel_A', 1],
      ['kernel_C', 1],
    ]);
    expect(rowsOf('cuda_gpu_trace', {...wholeTrace, operations}).rows.length).toBe(2);
    const all = rowsOf('cuda_api_trace', wholeTrace).rows.length;
    const some = rowsOf('cuda_api_trace', {...wholeTrace, slices}).rows.length;
    expect([all, some < all]).toEqual([3, true]);
    expect(columnsOf(rowsOf('nvtx_gpu_proj_sum', {...wholeTrace, operations}), 'Total GPU Ops')).toEqual([[2]]);
  });
});

describe('a file that means harm', () => {
  it('is answered with a sentence where its ranges and calls make too many pairs', async () => {
    const path = join(folder, 'harm.json');
    const count = 3000;
    const events = Array.from({length: count}, (_, i) => [
      kineto.range('r', i, 3 * count - 2 * i),
      kineto.call(5, count + i * 0.001, 0.001),
      kineto.kernel(5, count + i, 1),
    ]).flat();
    writeFileSync(path, kinetoText(events));
    await expect(reportOfFile(path, 'nvtx_kern_sum')).rejects.toMatchObject({code: 'trace/too-many-open-ranges'});
    expect((await reportOfFile(path, 'nvtx_gpu_proj_sum')).rows.length).toBe(1);
  });
});

describe('reports of a PyTorch trace', () => {
  const events = [
    kineto.range('step', 0, 100),
    kineto.call(9, 10, 5),
    kineto.kernel(9, 30, 40, {
      grid: [4, 2, 1],
      block: [128, 1, 1],
      'registers per thread': 32,
      'shared memory': 4096,
      context: 1,
      'est. achieved occupancy %': NaN,
    }),
    kineto.call(10, 20, 5),
    {
      ...kineto.kernel(10, 80, 10, {bytes: 4096}),
      cat: 'gpu_memcpy',
      name: 'Memcpy HtoD (Pinned -> Device)',
    },
  ];

  it.each([
    ['plain', (text: string) => text],
    ['compressed', (text: string) => gzipSync(text)],
  ])('read grid, block, registers and memories again from a %s file', async (name, pack) => {
    const path = join(folder, `${name}.json`);
    writeFileSync(path, pack(kinetoText(events).replaceAll('null', 'NaN')));
    const report = await reportOfFile(path, 'cuda_gpu_trace');
    expect(Array.from({length: report.rows.length}, (_, row) => report.rows.cells(row))).toEqual([
      [30_000, 40_000, 9, 4, 2, 1, 128, 1, 1, 32, null, 0.004, null, null, null, null, '(0)', 1, 7, 'gemm'],
      [
        80_000,
        10_000,
        10,
        ...new Array<null>(8).fill(null),
        null,
        0.004,
        409.6,
        'Pinned',
        'Device',
        '(0)',
        null,
        7,
        '[CUDA memcpy Host-to-Device]',
      ],
    ]);
  });

  it('leave out sizes that no kernel has, and ids that no double holds', async () => {
    const path = join(folder, 'sizes.json');
    const sizes = {grid: [4294967297, -5, 2.5], block: [2147483648, 2147483647, 1], 'registers per thread': 4294967297};
    const text = kinetoText([kineto.call(7, 10, 5), kineto.kernel(7, 30, 40, sizes)]);
    writeFileSync(path, text.replaceAll('"correlation": 7', '"correlation": 18446744073709551615'));
    const ofJson = (await reportOfFile(path, 'cuda_gpu_trace')).rows.cells(0);
    expect(ofJson.slice(2, 10)).toEqual([null, null, null, null, null, 2147483647, 1, null]);
    const database = writeNsysDatabase(
      join(folder, 'sizes.sqlite'),
      ['gridX 4294967297', 'gridY -5', 'blockX 2147483647', 'registersPerThread -2']
        .map(column => `alter table CUPTI_ACTIVITY_KIND_KERNEL add column ${column.replace(' ', ' default ')};`)
        .join(''),
    );
    const rows = (await reportOfFile(database, 'cuda_gpu_trace')).rows;
    const kernels = Array.from({length: rows.length}, (_, row) => rows.cells(row)).filter(
      cells => cells[6] === 2147483647,
    );
    expect(kernels.map(cells => [cells[3], cells[4], cells[9]])).toEqual([
      [null, null, null],
      [null, null, null],
    ]);
  });

  it('have the ids of process and thread, and the innermost range before a kernel’s name where asked', async () => {
    const path = join(folder, 'ids.json');
    writeFileSync(path, kinetoText(events));
    const [api, named] = await reportsOfFile(path, ['cuda_api_trace', 'cuda_gpu_kern_sum:nvtx-name']);
    expect(api && columnsOf(api, 'Start (ns)', 'Pid', 'Tid', 'CorrID')).toEqual([
      [10_000, 100, 100, 9],
      [20_000, 100, 100, 10],
    ]);
    expect(named && columnsOf(named, 'Name')).toEqual([['step/gemm']]);
  });
});

describe('parseReportRequest(name)', () => {
  it('knows nsys’s names, old and new, and options that a report takes', () => {
    expect(parseReportRequest('cuda_gpu_kern_sum:base')).toMatchObject({options: ['base']});
    expect(parseReportRequest('nvtxgpuproj')?.definition.id).toBe('nvtx_gpu_proj_trace');
    expect(parseReportRequest('cuda_gpu_kern_sum:other')).toBeNull();
    expect(parseReportRequest('nothing')).toBeNull();
  });
});

describe('reportsText(reports, format)', () => {
  const trace = traceFromText(`
    range a,"|<     ====
    call            A
    stream 7          AA
  `);
  const text = (format: 'json' | 'csv' | 'markdown' | 'table', ...names: string[]) =>
    [
      ...reportsText(
        names.map(name => reportOfTrace(trace, name)),
        format,
      ),
    ].join('');

  it('gives an array of rows by header, of several reports an object of arrays', () => {
    const row = {'Time (%)': 100, 'Total Time (ns)': 4000, Instances: 1, Range: 'a,"|<', 'StdDev (ns)': 0};
    expect(JSON.parse(text('json', 'nvtx_pushpop_sum'))).toMatchObject([row]);
    expect(JSON.parse(text('json', 'nvtx_pushpop_sum', 'osrt_sum'))).toMatchObject({
      nvtx_pushpop_sum: [row],
      osrt_sum: [],
    });
    expect(JSON.parse(text('json', 'osrt_sum'))).toEqual([]);
  });

  it('quotes and escapes what would end a cell', () => {
    expect(text('csv', 'nvtx_pushpop_sum')).toBe(
      'Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Range\n' +
        '100.0,4000,1,4000.0,4000.0,4000,4000,0.0,"a,""|<"\n',
    );
    expect(text('markdown', 'nvtx_pushpop_sum')).toContain('| 0.0 | a,"\\|\\< |\n');
  });
});

describe('docs/metrics.md', () => {
  // Prettier pads the cells of tables.
  const metrics = readFileSync(join(project, 'docs', 'metrics.md'), 'utf8').replace(/ +/g, ' ');

  it.each(reportDefinitions.map(({id, columns}) => [id, columns] as const))(
    'says what each column of %s means',
    (id, columns) => {
      const section = metrics.slice(metrics.indexOf(`## <a id="${id.replaceAll('_', '-')}"></a>`)).split('\n## ')[0];
      const missing = columns
        .map(column => `| ${columnHeader(column)} | ${column.definition} |`)
        .filter(line => !section?.includes(line));
      expect(missing).toEqual([]);
    },
  );
});

/** What shares add up to: reports without a row for the rest of the run tell below the table how much of it they cover. */
function wholeOf(name: string, {footer}: ReportRows): number {
  return name === 'roofline_sum' ? 100 : Number(/^[\d.]+/.exec(footer?.[0] ?? '100')?.[0]);
}

describe('reports of profiles', () => {
  const own = ownProfiles(temporaryFolder());
  itEachFile([...own.nsys, ...own.kineto, ...dataFiles('nsys', '.sqlite'), ...dataFiles('kineto', '.json.gz')])(
    '$name has a cell for every column of every report, and shares that add up',
    async ({path}) => {
      const reports = await reportsOfFile(
        path,
        reportDefinitions.map(({id}) => id),
      );
      for (const {name, columns, rows} of reports) {
        let percent = 0;
        for (let row = 0; row < rows.length; row++) {
          const cells = rows.cells(row);
          if (cells.length !== columns.length || cells.includes(NaN)) expect([name, cells]).toBe('cells');
          percent += Number(cells[0]);
        }
        if (columns[0]?.title !== 'Time' || rows.length === 0 || rows.cells(0)[0] === null) continue;
        // Each share is rounded by up to 0.05.
        expect(Math.abs(percent - wholeOf(name, rows))).toBeLessThan(0.05 * rows.length + 0.001);
      }
    },
  );
});
