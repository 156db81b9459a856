import {getOrAdd} from '../table/get-or-add.js';
import {busFactor} from '../figures/collective-bandwidth.js';
import {collectiveCalls, type CollectiveCall} from '../figures/collective-calls.js';
import {hasNoCollectives} from './empty-traces.js';
import {waitingOf, type WaitingAndTransfer} from './collective-waiting.js';
import {reportTimeNs} from './identity.js';
import type {ReportInput} from '../figures/report-input.js';
import {numberOrNull, type Cell, type ReportColumn, type ReportDefinition, type ReportRows} from './report.js';
import {runGpuWorkNs, runShare, runShareColumn} from './run-share.js';
import {amount, numberColumn, tally, textColumn, timeColumn} from './summary.js';

const groupColumns: readonly ReportColumn[] = [
  textColumn(
    'Operation',
    'the collective: as PyTorch says, else by the annotation around it, else by its kernel’s name',
    {role: 'name'},
  ),
  textColumn('Group', 'name or number of the process group'),
  numberColumn('Ranks', 'ranks of the process group'),
];
const waitingColumns: readonly ReportColumn[] = [
  timeColumn('Exposed', 'the part of that time in which the same GPU computed nothing; None on the CPU'),
  timeColumn(
    'Wait',
    'time less Transfer: waiting for other ranks. Known where the profile has every rank of the group',
  ),
  timeColumn('Transfer', 'the shortest time that a rank of the group took for the same call: all end together'),
];
const algorithmBandwidth = bandwidth('AlgBW', 'Bytes ÷ time, in 10^9 bytes a second');
const busBandwidth = bandwidth(
  'BusBW',
  'AlgBW × 2(n−1)/n for all_reduce, (n−1)/n for all_gather, reduce_scatter, all_to_all, gather and scatter, 1 for others; n is Ranks',
);

function bandwidth(title: string, definition: string): ReportColumn {
  return {...numberColumn(`${title} (GB/s)`, definition), decimals: 3};
}

/** `collective_sum`: calls of collective operations by operation and group. @see docs/metrics.md#collective-sum */
export const collectiveSummary: ReportDefinition = {
  id: 'collective_sum',
  oldId: null,
  title: 'Collective Communication Summary',
  options: [],
  details: () => ['collectives'],
  about: 'collective communication',
  tabs: [
    {
      id: 'collectives',
      title: 'Collectives',
      row: 'plain',
      after: 'memory-held',
      group: 'Communication',
      isEmpty: hasNoCollectives,
    },
  ],
  needs: ['otherRanks'],
  columns: [
    {...runShareColumn, definition: `${runShareColumn.definition}; None on the CPU`},
    timeColumn(
      'Total Time',
      'time in which a kernel of a call ran, on the CPU all of the call’s, summed over calls',
      amount,
    ),
    numberColumn('Num Calls', 'number of calls: a rank’s part in a collective is one', tally),
    numberColumn('Kernels', 'number of their kernels'),
    ...groupColumns,
    numberColumn('Bytes', 'bytes of the calls, summed: of each the larger of its input and output'),
    algorithmBandwidth,
    busBandwidth,
    ...waitingColumns,
  ],
  rows: summaryRows,
};

/** `collective_trace`: each call of a collective operation, by start. */
export const collectiveTrace: ReportDefinition = {
  ...collectiveSummary,
  id: 'collective_trace',
  title: 'Collective Communication Trace',
  tabs: [
    {id: 'collective-calls', title: 'Collective calls', row: 'plain', after: 'collectives', isEmpty: hasNoCollectives},
  ],
  needs: [],
  columns: [
    timeColumn('Start', 'when its first kernel began; without kernels, when it was called, on the CPU when it began'),
    timeColumn('Duration', 'time in which a kernel of the call ran; on the CPU all of its time', amount),
    numberColumn('Kernels', 'number of its kernels'),
    ...groupColumns,
    textColumn('Group Description', 'what the process group is for'),
    numberColumn('Seq', 'number of the call in its group'),
    textColumn('Data Type', 'type of the elements'),
    numberColumn('Bytes', 'the larger of input and output: elements × bytes of the type'),
    algorithmBandwidth,
    busBandwidth,
    ...waitingColumns,
    numberColumn('DevId', 'GPU that executed'),
    numberColumn('Strm', 'CUDA stream'),
  ],
  rows: traceRows,
};

function traceRows(input: ReportInput): ReportRows {
  const calls = collectiveCalls(input);
  const waiting = waitingOf(input, calls);
  const timeOf = reportTimeNs(input.trace);
  return {
    length: calls.length,
    cells: row => {
      const call = calls[row];
      return [
        timeOf(call.startNs),
        call.busyNs,
        call.kernels,
        ...groupCells(call),
        call.groupDescription,
        numberOrNull(call.sequence),
        call.dataType,
        numberOrNull(call.bytes),
        ...bandwidthCells(call, call.bytes, call.wholeNs),
        ...waitingCells([call], waiting),
        numberOrNull(call.device),
        numberOrNull(call.stream),
      ];
    },
  };
}

function summaryRows(input: ReportInput): ReportRows {
  const calls = collectiveCalls(input);
  const waiting = waitingOf(input, calls);
  const groups = new Map<string, CollectiveCall[]>();
  for (const call of calls) {
    getOrAdd(groups, JSON.stringify([call.operation, call.group, call.groupSize, call.isOnCpu]), () => []).push(call);
  }
  const allNs = runGpuWorkNs(input);
  const onGpuNs = sum(
    calls.filter(({isOnCpu}) => !isOnCpu),
    ({busyNs}) => busyNs,
  );
  const rows = [...groups.values()].sort((a, b) => sum(b, ({busyNs}) => busyNs) - sum(a, ({busyNs}) => busyNs));
  return {
    length: rows.length,
    cells: row => {
      const members = rows[row];
      const totalNs = sum(members, ({busyNs}) => busyNs);
      const bytes = sum(members, call => call.bytes);
      return [
        members[0].isOnCpu ? null : runShare(totalNs, allNs),
        totalNs,
        members.length,
        sum(members, ({kernels}) => kernels),
        ...groupCells(members[0]),
        numberOrNull(bytes),
        ...bandwidthCells(
          members[0],
          bytes,
          sum(members, ({wholeNs}) => wholeNs),
        ),
        ...waitingCells(members, waiting),
      ];
    },
    ...(allNs > 0 && {footer: [`${String(runShare(onGpuNs, allNs))} % of all GPU work is of collective operations.`]}),
  };
}

function groupCells({operation, group, groupSize}: CollectiveCall): Cell[] {
  return [operation, group, numberOrNull(groupSize)];
}

/** Returns the bandwidth cells. Bytes per nanosecond are GB per second. */
function bandwidthCells({operation, groupSize}: CollectiveCall, bytes: number, timeNs: number): Cell[] {
  if (timeNs === 0) return [null, null];
  const algorithm = bytes / timeNs;
  return [algorithm, algorithm * busFactor(operation, groupSize)].map(value => numberOrNull(Number(value.toFixed(3))));
}

/** Returns Exposed, Wait and Transfer; Wait and Transfer are null unless every call of the row has them. */
function waitingCells(
  calls: readonly CollectiveCall[],
  waiting: ReadonlyMap<CollectiveCall, WaitingAndTransfer>,
): Cell[] {
  const splits = calls.map(call => waiting.get(call));
  return [
    numberOrNull(sum(calls, ({exposedNs}) => exposedNs)),
    numberOrNull(sum(splits, split => split?.waitNs ?? NaN)),
    numberOrNull(sum(splits, split => split?.transferNs ?? NaN)),
  ];
}

function sum<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}
