import {expect, it} from 'vitest';
import {ranksOfSummary} from '../../../src/core/job/ranks-of-summary.js';
import {summaryTable} from '../../../src/core/job/summary-table.js';
import {madeJob} from '../../support/job-ranks.js';

const ranks = madeJob({ranks: 1, steps: 1, callsPerStep: 1}).map(rank => ({
  ...rank,
  overlap: {communicationNs: 40, overlapNs: 10},
  calls: rank.calls.map(call => ({...call, mpi: {name: 'MPI_Allreduce', bytes: NaN, handle: '1140850688'}})),
}));
const table = summaryTable(ranks);
const [rankRow, callRow] = ['rank', 'collective'].map(kind => table.kind.indexOf(kind));

/** What is read where one cell was changed. */
function withCell(column: keyof typeof table, row: number | undefined, value: string | number): unknown {
  const values = table[column].map((old, at) => (at === row ? value : old));
  return ranksOfSummary({...table, [column]: values}, table.kind.length, 0);
}

it('a summary keeps what it was made of', () => {
  expect(ranksOfSummary(table, table.kind.length, 0)).toEqual(ranks);
});

it.each([
  ['more time without computation than there is', 'exposed_ns', rankRow, 41],
  ['less than none', 'exposed_ns', rankRow, -1],
  ['no communication at all', 'busy_ns', rankRow, 0],
  ['a call of MPI that is no JSON', 'mpi', callRow, 'MPI_Allreduce'],
  ['a call of MPI without a name', 'mpi', callRow, '{"bytes": 8}'],
] as const)('a summary with %s is none', (_, column, row, value) => {
  expect(() => withCell(column, row, value)).toThrow(/row \d+/);
});
