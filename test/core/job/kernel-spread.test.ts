import {expect, it} from 'vitest';
import {jobPage} from '../../../src/core/job/job-page.js';
import {jobReport} from '../../../src/core/job/job-report.js';
import type {JobRank, RankKernel} from '../../../src/core/job/job-rank.js';
import {kernelSpreads} from '../../../src/core/job/kernel-spread.js';
import {madeJob} from '../../support/job-ranks.js';

const kernel = (name: string, count: number, gpuWorkNs: number): RankKernel => ({name, count, gpuWorkNs});
const kernels = [
  [kernel('gemm', 8, 400), kernel('softmax', 4, 40)],
  [kernel('gemm', 8, 480), kernel('softmax', 4, 44), kernel('copy', 1, 12)],
  [kernel('gemm', 8, 420), kernel('softmax', 6, 100)],
];
/** Three ranks of as many steps. */
const ranksOf = (steps: number): JobRank[] =>
  madeJob({ranks: 3, steps, callsPerStep: 1}).map((rank, at) => ({...rank, kernels: kernels[at] ?? []}));

it('kernels of a name are spread over the ranks that have them, the largest difference first', () => {
  expect(kernelSpreads(ranksOf(0))).toEqual([
    {name: 'gemm', minNs: 400, medianNs: 420, maxNs: 480, slowestRank: 1, spreadNs: 80, ranks: 3, count: 24},
    {name: 'softmax', minNs: 40, medianNs: 44, maxNs: 100, slowestRank: 2, spreadNs: 60, ranks: 3, count: 14},
    {name: 'copy', minNs: 12, medianNs: 12, maxNs: 12, slowestRank: 1, spreadNs: 0, ranks: 1, count: 1},
  ]);
});

it('their work is that of a step where all ranks have steps', () => {
  const [gemm] = kernelSpreads(ranksOf(4));
  expect(gemm).toMatchObject({minNs: 100, medianNs: 105, maxNs: 120, spreadNs: 20, count: 24});
});

it('a page has the kernels, and a row for each rank with its host, GPU, steps, offset and residual', () => {
  const ranks = ranksOf(4).map(rank => ({...rank, host: `node${String(rank.rank)}`, device: 'NVIDIA H100'}));
  const [first] = ranks;
  const overlap = {communicationNs: 2e6, overlapNs: 5e5};
  const page = jobPage(jobReport([...(first ? [{...first, overlap}] : []), ...ranks.slice(1)])).split('\n');
  const cells = (line: string | undefined) =>
    line
      ?.split('|')
      .map(cell => cell.trim())
      .filter(cell => cell !== '');
  const titles = page.findIndex(line => line.includes('Residual'));
  expect(cells(page[titles])).toEqual([
    ...['Rank', 'Host', 'GPU', 'File', 'Steps', 'Clock offset', 'Residual', 'Waits for others'],
  ]);
  expect(cells(page[titles + 2])?.slice(0, 7)).toEqual([
    '0',
    'node0',
    'NVIDIA H100',
    'rank0\\.json',
    '4',
    '0 ns',
    '0 ns',
  ]);
  expect(page).toContain('## Kernels: GPU work a step over the ranks, the largest difference first');
  const gemm = page.find(line => line.startsWith('| gemm'));
  expect(cells(gemm)).toEqual(['gemm', '100 ns', '105 ns', '120 ns', '1', '20 ns', '24']);
  const title = page.indexOf('## Communication while the GPU computes');
  expect(
    page
      .slice(title)
      .filter(line => line.startsWith('| 0'))
      .map(cells)[0],
  ).toEqual([...['0', '2.00 ms', '500 µs', '25.0 %']]);
});
