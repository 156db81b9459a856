import {expect, it} from 'vitest';
import {json} from '../support/command-line.js';
import {temporaryFolder} from '../support/project.js';
import {skewedRanks} from '../support/skewed-ranks.js';

it('gpu-lens stats RANK OTHER-RANK… splits the time of collectives into waiting and transfer', () => {
  const {files, waitNs, transferNs} = skewedRanks(temporaryFolder(), 42);
  const reports = json('stats', ...files, '-r', 'collective_trace,collective_sum,rank_sum') as Record<
    string,
    Record<string, number>[]
  >;
  const column = (report: string, name: string) => reports[report]?.map(row => row[name]) ?? [];
  const sum = (numbers: readonly (number | undefined)[]) => numbers.reduce<number>((all, ns) => all + (ns ?? 0), 0);
  expect(column('collective_trace', 'Wait (ns)')).toEqual(waitNs[0]);
  expect(column('collective_trace', 'Transfer (ns)')).toEqual(transferNs);
  expect(sum(column('collective_sum', 'Wait (ns)'))).toBe(sum(waitNs[0] ?? []));
  expect(sum(column('collective_sum', 'Transfer (ns)'))).toBe(sum(transferNs));
  expect(column('rank_sum', 'Wait (ns)')).toEqual(waitNs.map(sum));
});
