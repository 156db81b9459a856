import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {reportsText} from '../../../src/core/reports/report-text.js';
import {kindIndex} from '../../../src/core/trace/slices.js';
import {wholeTrace} from '../../../src/core/scope/report-scope.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {reportOfFile, reportOfTrace, reportsOfFile, textRows} from '../../support/make-report.js';
import {readCsv} from '../../support/read-csv.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles, dataFolder, hasData} from '../../support/real-data.js';

const nsysFile = (name: string) => join(dataFolder, 'nsys', name);
const expectedRows = (name: string) => readCsv(readFileSync(nsysFile(`expected/${name}.csv`), 'utf8'));

/** Copies are called by their labels since 2023, by CUPTI's short words before. */
const shortLabels: Readonly<Record<string, string>> = {
  '[CUDA memcpy Host-to-Device]': '[CUDA memcpy HtoD]',
  '[CUDA memcpy Device-to-Host]': '[CUDA memcpy DtoH]',
  '[CUDA memcpy Device-to-Device]': '[CUDA memcpy DtoD]',
};

type Row = Readonly<Record<string, string>>;

/** Rows as texts, in an order of their own: nsys orders equal totals as they come. */
function comparable(rows: readonly Row[]): string[] {
  return rows
    .map(row => JSON.stringify(Object.entries(row).map(([key, text]) => [key, shortLabels[text] ?? text])))
    .sort();
}

/** What nsys gets wrong in one file: see docs/metrics.md#nvtx-gpu-proj-trace. */
const treeFault = 'train-2xh100-2proc.nvtxgpuproj.csv';

describe.skipIf(!hasData)('reports of real exports', () => {
  const files = dataFiles('nsys/expected', '.csv').filter(({name}) => name !== treeFault);

  itEachFile(files)('$name has every row and column of nsys 2022.4.2', async ({name, path}) => {
    const [file = '', report = ''] = /^(.*)\.(\w+)\.csv$/.exec(name)?.slice(1) ?? [];
    const ours = await reportOfFile(nsysFile(`${file}.sqlite`), report);
    expect(comparable(textRows(ours))).toEqual(comparable(readCsv(readFileSync(path, 'utf8'))));
  });

  it('nvtx_gpu_proj_trace differs from nsys only where nsys loses a nearer parent among rounded times', async () => {
    const ours = textRows(await reportOfFile(nsysFile('train-2xh100-2proc.sqlite'), 'nvtx_gpu_proj_trace'));
    const theirs = expectedRows('train-2xh100-2proc.nvtxgpuproj');
    const tree = new Set(['Lvl', 'NumChild', 'ParentId', 'RangeStack']);
    const withoutTree = (row: Row) => Object.fromEntries(Object.entries(row).filter(([key]) => !tree.has(key)));
    expect(comparable(ours.map(withoutTree))).toEqual(comparable(theirs.map(withoutTree)));
    const byId = new Map(ours.map(row => [row['RangeId'], row]));
    const differing = theirs.filter(row => byId.get(row['RangeId'])?.['ParentId'] !== row['ParentId']);
    expect(differing.length).toBe(162);
    for (const row of differing) {
      const parent = byId.get(byId.get(row['RangeId'])?.['ParentId']) ?? {};
      const nsysParent = byId.get(row['ParentId']) ?? null;
      expect(parent['TID']).toBe(row['TID']);
      expect(startOf(parent)).toBeLessThanOrEqual(startOf(row));
      expect(endOf(parent)).toBeGreaterThanOrEqual(endOf(row));
      if (nsysParent)
        expect(Number(parent['Orig Duration (ns)'])).toBeLessThan(Number(nsysParent['Orig Duration (ns)']));
    }
  });

  it('reports of a profile read letter by letter as nsys 2024.6.2 printed them', async () => {
    const names = ['osrt_sum', 'cuda_api_sum', 'cuda_gpu_kern_sum', 'cuda_gpu_mem_time_sum', 'cuda_gpu_mem_size_sum'];
    const reports = await reportsOfFile(nsysFile('cs336-2.7b-a100.sqlite'), names);
    const printed = readFileSync(nsysFile('cs336-2.7b-a100.nsys-stats.txt'), 'utf8');
    for (const report of reports) {
      const [text = ''] =
        new RegExp(`\\n \\*\\* [^\\n]*\\(${report.name}\\):\\n[^]*?\\n(?=\\n[A-Z])`).exec(printed) ?? [];
      expect([...reportsText([report], 'table')].join('')).toBe(`${text}\n`);
    }
  });

  it('cuda_gpu_trace and cuda_api_trace have all intervals of the traces that nsys exported', async () => {
    const [gpu = null, api = null] = await reportsOfFile(nsysFile('cloverleaf-4xa100-mpi.sqlite'), [
      'cuda_gpu_trace',
      'cuda_api_trace',
    ]);
    const entered = (name: string) => {
      const rows = readCsv(readFileSync(nsysFile(`cloverleaf-4xa100-mpi.${name}.csv`), 'utf8'));
      return rows.filter(row => row['Event Type'] === 'Enter');
    };
    const interval = (row: Row, stream: string) =>
      [row['Timestamp (ns)'], Number(row['_matching_timestamp']), row[stream]].join(' ');
    const printedGpu = entered('cuda_gpu_trace').map(row => interval(row, 'streamId'));
    const ours = (rows: Row[], id: string) =>
      rows.map(row => [row['Start (ns)'], startNs(row) + Number(row['Duration (ns)']), row[id]].join(' '));
    expect(printedGpu.length).toBe(1591);
    expect(ours(gpu ? textRows(gpu) : [], 'Strm').sort()).toEqual(printedGpu.sort());
    const printedApi = entered('cuda_api_trace').map(row => interval(row, 'Thread'));
    expect(printedApi.length).toBe(3048);
    expect(ours(api ? textRows(api) : [], 'Tid').sort()).toEqual(printedApi.sort());
  });

  it('nvtx_gpu_proj_trace of kernels alone has all ranges that another converter projects', async () => {
    const trace = await openTrace(nsysFile('power-iteration-t4.sqlite'));
    const {slices, gpuOperations} = trace;
    const operations = Uint8Array.from(gpuOperations.slice, slice => Number(slices.kind[slice] === kindIndex.kernel));
    const report = reportOfTrace(trace, 'nvtx_gpu_proj_trace', {...wholeTrace, operations});
    const ours = textRows(report).map(row =>
      [row['Name']?.replace(/^CCCL:/, ''), row['Projected Start (ns)'], row['Projected Duration (ns)']].join(' '),
    );
    const file = readFileSync(nsysFile('power-iteration-t4.expected-nvtx-gpu-projection.json'), 'utf8');
    const events = JSON.parse(file) as {name: string; cat: string; ts: number; dur: number}[];
    const theirs = events.filter(({cat}) => cat === 'nvtx-kernel');
    expect(theirs.length).toBe(698);
    const ns = (us: number) => String(Math.round(us * 1000));
    expect(ours.sort()).toEqual(theirs.map(({name, ts, dur}) => `${name} ${ns(ts)} ${ns(dur)}`).sort());
  });
});

function startOf(row: Row): number {
  return Number(row['Orig Start (ns)']);
}

function endOf(row: Row): number {
  return startOf(row) + Number(row['Orig Duration (ns)']);
}

function startNs(row: Row): number {
  return Number(row['Start (ns)']);
}
