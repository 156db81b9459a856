import {expect, it} from 'vitest';
import {reportOfTrace, textRows} from '../../support/make-report.js';
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
