import {collectiveCalls, type CollectiveCall} from '../figures/collective-calls.js';
import {hasNoGpuWork} from './empty-traces.js';
import {byRank, splitWaiting, type WaitingAndTransfer} from './collective-waiting.js';
import {gpuTimeline, gpuTimelines, timelineCells} from './gpu-timeline.js';
import {otherRankInputs} from '../figures/report-input.js';
import type {ReportInput} from '../figures/report-input.js';
import {numberOrNull, type Cell, type ReportDefinition, type ReportRows} from './report.js';
import {numberColumn, timeColumn} from './summary.js';

/**
 * `rank_sum`: what each rank's GPU did, and how long it waited for the others. Shows the stragglers of a job.
 *
 * @see docs/metrics.md#rank-sum
 */
export const rankSummary: ReportDefinition = {
  ...gpuTimeline,
  id: 'rank_sum',
  title: 'Ranks',
  tabs: [
    {
      id: 'ranks',
      title: 'Ranks',
      row: 'plain',
      after: 'gpu-timeline-steps',
      group: 'Communication',
      isEmpty: hasNoGpuWork,
    },
  ],
  needs: ['otherRanks'],
  details: () => ['collectives'],
  columns: [
    numberColumn('Rank', 'number of the rank, as its file says'),
    numberColumn('World Size', 'ranks of the job, as the file says'),
    ...gpuTimeline.columns,
    numberColumn('Collective Calls', 'calls of collective operations on this GPU; in a row without one, on the CPU'),
    timeColumn('Wait', 'time in them waiting for other ranks; known where every rank of their groups is there'),
  ],
  rows: rankRows,
};

function rankRows(input: ReportInput): ReportRows {
  const ranks = [input, ...otherRankInputs(input)].map(rank => ({rank, calls: collectiveCalls(rank)}));
  const waiting = splitWaiting(ranks.flatMap(({calls}) => byRank(calls)));
  const rows = ranks.flatMap(({rank, calls}) => rowsOfFile(rank, calls, waiting));
  rows.sort(([a], [b]) => Number(a ?? -1) - Number(b ?? -1));
  return {length: rows.length, cells: row => rows[row]};
}

function rowsOfFile(
  rank: ReportInput,
  calls: readonly CollectiveCall[],
  waiting: ReadonlyMap<CollectiveCall, WaitingAndTransfer>,
): Cell[][] {
  const {rank: number, worldSize} = rank.trace.meta;
  const rowOf = (cells: readonly Cell[], own: readonly CollectiveCall[]): Cell[] => {
    const waitNs = own.reduce((sum, call) => sum + (waiting.get(call)?.waitNs ?? NaN), 0);
    return [number, worldSize, ...cells, own.length, numberOrNull(waitNs)];
  };
  const rows = gpuTimelines(rank).map(timeline =>
    rowOf(
      timelineCells(rank, timeline),
      calls.filter(({device, kernels}) => device === timeline.device && kernels > 0),
    ),
  );
  const onCpu = calls.filter(({isOnCpu}) => isOnCpu);
  return onCpu.length === 0 ? rows : [...rows, rowOf(Array<Cell>(gpuTimeline.columns.length).fill(null), onCpu)];
}
