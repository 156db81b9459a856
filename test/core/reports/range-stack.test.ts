import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {stackChoices, stackText, type RangeStack} from '../../../src/core/attribution/range-stack.js';
import type {NameFold} from '../../../src/core/attribution/name-fold.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import {columnHeader, type Cell} from '../../../src/core/reports/report.js';
import {noDetails} from '../../../src/core/figures/report-details.js';
import {wholeTrace} from '../../../src/core/scope/report-scope.js';
import {makeReports, parseReportRequest} from '../../../src/core/reports/reports.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {readCsv} from '../../support/read-csv.js';
import {dataFolder, hasData} from '../../support/real-data.js';
import {traceFromText} from '../../support/trace-from-text.js';

function report(trace: Trace, name: string, stack: RangeStack, details = noDetails) {
  const request = parseReportRequest(name);
  if (!request) throw new Error(`No such report: ${name}`);
  const [made] = makeReports([request], {trace, details, scope: wholeTrace, stack});
  if (!made) throw new Error('No report.');
  const {columns, rows, title} = made;
  const cells = Array.from({length: rows.length}, (_, row) => rows.cells(row));
  const at = (header: string) => columns.findIndex(column => columnHeader(column) === header);
  return {title, of: (...headers: string[]): Cell[][] => cells.map(row => headers.map(one => row[at(one)] ?? null))};
}

const trace = traceFromText(`
  range layer_0   ======
  range layer_1          ====
  startend epoch  ==============
  op aten::mm      ==     ==
  call             A      B    C
  stream 7          AAA    BB  C
`);

describe('what counts as a range', () => {
  const sums = (name: string, stack: RangeStack) => report(trace, name, stack).of('Range', 'Instances', 'Style');

  it('is what a person named, unless other kinds are chosen', () => {
    expect(sums('nvtx_sum', {})).toEqual([
      ['epoch', 1, 'StartEnd'],
      ['layer_0', 1, 'PushPop'],
      ['layer_1', 1, 'PushPop'],
    ]);
    expect(sums('nvtx_sum', {kinds: ['cpu_op']})).toEqual([['aten::mm', 2, 'PushPop']]);
    expect(sums('nvtx_sum', {kinds: ['nvtx_startend', 'cpu_op']}).map(([name]) => name)).toEqual(['epoch', 'aten::mm']);
    expect(report(trace, 'nvtx_gpu_proj_sum', {kinds: ['cpu_op']}).of('Range', 'Total Proj Time (ns)')).toEqual([
      ['aten::mm', 5000],
    ]);
  });

  it('is told in the title, of reports of ranges alone', () => {
    const titleOf = (name: string, stack: RangeStack) => report(trace, name, stack).title;
    expect(titleOf('nvtx_sum', {kinds: ['cpu_op', 'nvtx_pushpop'], domain: 'NCCL'})).toBe(
      'NVTX Range Summary (NVTX push/pop, operators; domain NCCL)',
    );
    expect(titleOf('nvtx_sum', {})).toBe('NVTX Range Summary');
    expect(titleOf('cuda_gpu_kern_sum', {kinds: ['cpu_op']})).toBe('CUDA GPU Kernel Summary');
    expect(stackText({kinds: ['nvtx_startend', 'user_annotation', 'nvtx_pushpop']})).toBe('');
    expect(stackText({kinds: [], domain: '', fold: {unfolded: []}})).toBe('no ranges; default domain; names folded');
  });

  it('is offered from what a trace has', () => {
    expect(stackChoices(trace)).toEqual({
      kinds: ['user_annotation', 'nvtx_startend', 'cpu_op'],
      domains: [''],
    });
  });
});

describe('folded names', () => {
  it('make one row of layers, which sums theirs, and unfold by name', () => {
    const folded = report(trace, 'nvtx_sum', {fold: {unfolded: [], layers: true}});
    expect(folded.of('Range', 'Instances', 'Total Time (ns)')).toEqual([
      ['epoch', 1, 14_000],
      ['layer_*', 2, 10_000],
    ]);
    const unfolded = report(trace, 'nvtx_sum', {fold: {unfolded: ['layer_*'], layers: true}});
    expect(unfolded.of('Range').flat()).toEqual(['epoch', 'layer_0', 'layer_1']);
    expect(
      report(trace, 'nvtx_sum', {fold: {unfolded: []}})
        .of('Range')
        .flat(),
    ).toContain('layer_0');
    expect(
      report(trace, 'nvtx_kern_sum', {fold: {unfolded: [], layers: true}}).of('NVTX Range', 'Kernel Name'),
    ).toEqual([
      [null, 'kernel_C'],
      ['layer_*', 'kernel_A'],
      ['layer_*', 'kernel_B'],
    ]);
    const named = (fold: NameFold) => report(trace, 'cuda_gpu_kern_sum:nvtx-name', {fold}).of('Name').flat();
    expect(named({unfolded: [], layers: true})).toContain('layer_*/kernel_A');
    expect(named({unfolded: ['layer_*'], layers: true})).toContain('layer_0/kernel_A');
  });

  it('are counted in rows of ranges, which can be selected by them', () => {
    const rows = rangeRows(trace, 'name', {fold: {unfolded: [], layers: true}});
    expect(rows.map(({name, names, gpuWorkNs}) => [name, names, gpuWorkNs]).slice(0, 2)).toEqual([
      ['epoch', 1, 6000],
      ['layer_*', 2, 5000],
    ]);
    const selected = rangeRows(trace, 'name', {selection: {range: 'layer_*'}});
    expect(selected.map(({name}) => name)).toEqual(expect.arrayContaining(['layer_0', 'layer_1']));
    expect(selected.reduce((sum, row) => sum + row.gpuSelfNs, 0)).toBe(5000);
  });
});

describe.skipIf(!hasData)('of real profiles', () => {
  it('one domain has the rows that nsys printed of it', async () => {
    const path = join(dataFolder, 'nsys', 'saxpy-mpi-a100-schema2.9.sqlite');
    const expected = readCsv(
      readFileSync(join(dataFolder, 'nsys', 'expected', 'saxpy-mpi-a100-schema2.9.nvtxsum.csv'), 'utf8'),
    );
    const real = await openTrace(path);
    const details = await loadReportDetails(path, real, new Set(['ranges']));
    const [domain = ''] = stackChoices(real).domains.filter(name => name !== '');
    const ours = report(real, 'nvtx_sum', {domain}, details).of('Range', 'Instances', 'Total Time (ns)', 'Max (ns)');
    const theirs = expected.filter(row => row['Range']?.startsWith(`${domain}:`));
    expect(theirs.length).toBeGreaterThan(0);
    expect(ours.map(row => row.map(String))).toEqual(
      theirs.map(row => [row['Range'], row['Instances'], row['Total Time (ns)'], row['Max (ns)']]),
    );
  });

  it('operators have the calls and the time that the TensorBoard plugin shows', async () => {
    const folder = join(dataFolder, 'kineto');
    const [, , line = ''] = readFileSync(join(folder, 'expected', 'resnet50-v100-2021.tb-plugin.jsonl'), 'utf8').split(
      '\n',
    );
    const {data} = JSON.parse(line) as {data: {name: string; calls: number; host_total_duration: number}[]};
    const real = await openTrace(join(folder, 'resnet50-v100-2021.json.gz'));
    const sums = report(real, 'nvtx_sum', {kinds: ['cpu_op']}).of('Range', 'Instances', 'Total Time (ns)');
    const ofName = new Map(sums.map(([name, ...figures]) => [name, figures]));
    expect(data.length).toBeGreaterThan(10);
    const differing = data.filter(
      ({name, calls, host_total_duration: hostUs}) => String(ofName.get(name)) !== String([calls, 1000 * hostUs]),
    );
    // The plugin leaves out an operator right inside another of its name: a range is counted each time.
    expect(differing.map(({name, calls}) => [name, Number(ofName.get(name)?.[0]) - calls])).toEqual([['aten::div', 6]]);
  });
});
