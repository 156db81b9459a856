import {getOrAdd} from '../table/get-or-add.js';
import type {JobRank, RankCall} from './job-rank.js';

type MpiCall = NonNullable<RankCall['mpi']>;

/**
 * Returns the ranks without the MPI calls that cannot be matched. MPI calls have no sequence numbers, so they are
 * counted.
 *
 * Calls of a communicator that the report names are counted in it: ranks must agree as far as each was recorded. If it
 * names none, each rank must have used a single one, and all ranks must have made the same calls in the same order.
 *
 * @see docs/metrics.md#job-mpi
 */
export function withoutUnclearMpi(ranks: readonly JobRank[]): {
  readonly ranks: readonly JobRank[];
  readonly leftOutMpi: number;
} {
  const byGroup = new Map<string | null, MpiCall[][]>();
  for (const {calls} of ranks) {
    const own = new Map<string | null, MpiCall[]>();
    for (const {mpi, group} of calls) if (mpi) getOrAdd(own, group, () => []).push(mpi);
    for (const [group, made] of own) getOrAdd(byGroup, group, () => []).push(made);
  }
  const unclear = new Set([...byGroup].filter(([group, all]) => !isClear(group, all)).map(([group]) => group));
  if (unclear.size === 0) return {ranks, leftOutMpi: 0};
  let leftOutMpi = 0;
  const clear = ranks.map(rank => {
    const calls = rank.calls.filter(({mpi, group}) => mpi === null || !unclear.has(group));
    leftOutMpi += rank.calls.length - calls.length;
    return {...rank, calls};
  });
  return {ranks: clear, leftOutMpi};
}

/** @param all the calls of each rank that has any, in order */
function isClear(group: string | null, all: readonly (readonly MpiCall[])[]): boolean {
  const [first] = all;
  if (group === null) {
    const isOther = (calls: readonly MpiCall[]) => calls.some(({handle}) => handle !== calls[0].handle);
    if (all.some(calls => calls.length !== first.length || isOther(calls))) return false;
  }
  return all.every(calls => calls.every((call, at) => at >= first.length || isAlike(call, first[at])));
}

function isAlike(one: MpiCall, other: MpiCall): boolean {
  return one.name === other.name && (!sendsAlike.test(one.name) || Object.is(one.bytes, other.bytes));
}

/** Functions that send the same number of bytes on every rank. */
const sendsAlike = /^P?MPI_(Allreduce|Allgather|Alltoall|Reduce_scatter_block)(_c)?$/;
