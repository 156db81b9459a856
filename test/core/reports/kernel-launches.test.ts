import {join} from 'node:path';
import {expect, it} from 'vitest';
import {columnHeader} from '../../../src/core/reports/report.js';
import {reportOfTrace, reportsOfFile, textRows} from '../../support/make-report.js';
import {writeNsysDatabase} from '../../support/nsys-database.js';
import {temporaryFolder} from '../../support/project.js';
import {traceFromText} from '../../support/trace-from-text.js';

it('cuda_kern_exec_sum counts a kernel as queued that begins in the moment its call ends, and none that began before', () => {
  // K begins with the end of its call, L before the end of its own, M two columns behind its own.
  const trace = traceFromText(`
    call            KK  LL  MM
    stream 7          K  L      M
  `);
  const rows = textRows(reportOfTrace(trace, 'cuda_kern_exec_sum'));
  const queued = rows.map(row => [row['Kernel Name'], row['Count'], row['QCount'], row['QAvg (ns)']]);
  expect(queued.sort()).toEqual([
    ['kernel_K', '1', '1', '0.0'],
    ['kernel_L', '1', '0', 'None'],
    ['kernel_M', '1', '1', '2000.0'],
  ]);
});

it('cuda_kern_exec_trace has each pair of a call and a kernel, with a queue where the kernel began after the call', () => {
  const trace = traceFromText(`
    call            KK  LL  MM
    stream 7          K  L      M
  `);
  const rows = textRows(reportOfTrace(trace, 'cuda_kern_exec_trace'));
  const times = ['API Start', 'API Dur', 'Queue Start', 'Queue Dur', 'Kernel Start', 'Kernel Dur', 'Total Dur'];
  expect(rows.map(row => [row['Kernel Name'], ...times.map(title => row[`${title} (ns)`])])).toEqual([
    ['kernel_K', '0', '2000', '2000', '0', '2000', '1000', '3000'],
    ['kernel_L', '4000', '2000', 'None', 'None', '5000', '1000', '2000'],
    ['kernel_M', '8000', '2000', '10000', '2000', '12000', '1000', '5000'],
  ]);
});

it('cuda_kern_exec_trace has the columns of nsys, and adds up to cuda_kern_exec_sum', async () => {
  const path = writeNsysDatabase(join(temporaryFolder(), 'trace.sqlite'));
  const [trace, sum] = await reportsOfFile(path, ['cuda_kern_exec_trace', 'kernexecsum']);
  expect(trace?.columns.map(columnHeader)).toEqual([
    ...['API Start (ns)', 'API Dur (ns)', 'Queue Start (ns)', 'Queue Dur (ns)', 'Kernel Start (ns)'],
    ...['Kernel Dur (ns)', 'Total Dur (ns)', 'PID', 'TID', 'DevId', 'API Function', 'GridXYZ', 'BlockXYZ'],
    'Kernel Name',
  ]);
  const pairs = trace ? textRows(trace) : [];
  const counted = (sum ? textRows(sum) : []).reduce((count, row) => count + Number(row['Count']), 0);
  expect(pairs.length).toBe(counted);
  expect(pairs.length).toBeGreaterThan(0);
});
