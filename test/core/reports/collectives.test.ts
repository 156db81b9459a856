import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {
  busFactor,
  bytesOfType,
  collectiveBytes,
  collectiveOperation,
} from '../../../src/core/figures/collective-bandwidth.js';
import type {CollectiveCall} from '../../../src/core/figures/collective-calls.js';
import {splitWaiting} from '../../../src/core/reports/collective-waiting.js';
import {detailKinds} from '../../../src/core/figures/report-details.js';
import {reportScope} from '../../../src/core/scope/report-scope.js';
import type {Selection} from '../../../src/core/scope/selection.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {reportOfFile, reportOfTrace, reportsOfFile, textRows} from '../../support/make-report.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {temporaryFolder} from '../../support/project.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles, dataFolder, hasData} from '../../support/real-data.js';

const folder = temporaryFolder();

function fileOf(name: string, events: readonly object[]): string {
  const path = join(folder, name);
  writeFileSync(path, kinetoText(events));
  return path;
}

/** What Kineto writes on NCCL's kernels since 2024. */
const arguments2024 = {
  'Collective name': 'allreduce',
  'In msg nelems': 1000,
  'Out msg nelems': 1000,
  'Group size': 4,
  dtype: 'BFloat16',
  'Process Group Name': '3',
  'Process Group Description': 'data_parallel',
  Seq: 17,
};
const nccl = (correlation: number, name: string, ts: number, dur: number, args: object = {}) => ({
  ...kineto.kernel(correlation, ts, dur, args),
  name,
  tid: 9,
});

describe('collective_trace', () => {
  it('tells each call’s operation, group, bytes, bandwidth and exposed time', async () => {
    const path = fileOf('kernels.json', [
      kineto.call(1, 0, 5),
      kineto.call(2, 10, 5),
      nccl(1, 'ncclDevKernel_AllReduce_Sum_bf16_RING_LL', 20, 40, arguments2024),
      kineto.kernel(2, 30, 10),
    ]);
    expect(textRows(await reportOfFile(path, 'collective_trace'))).toEqual([
      {
        'Start (ns)': '20000',
        'Duration (ns)': '40000',
        Kernels: '1',
        Operation: 'all_reduce',
        Group: '3',
        Ranks: '4',
        'Group Description': 'data_parallel',
        Seq: '17',
        'Data Type': 'BFloat16',
        Bytes: '2000',
        // 2000 bytes in 40 µs; 2 (4 − 1) / 4 of it on the bus.
        'AlgBW (GB/s)': '0.050',
        'BusBW (GB/s)': '0.075',
        'Exposed (ns)': '30000',
        'Wait (ns)': 'None',
        'Transfer (ns)': 'None',
        DevId: '0',
        Strm: '7',
      },
    ]);
  });

  it('takes what the operator around a launch says, and makes one call of its kernels', async () => {
    const path = fileOf('operators.json', [
      kineto.op('record_param_comms', 0, 30, {
        'External id': 5,
        'Input Dims': [[64, 2], []],
        'Input type': ['float', ''],
      }),
      kineto.range('nccl:_reduce_scatter_base', 1, 28),
      kineto.call(1, 5, 5),
      kineto.call(2, 15, 5),
      nccl(1, 'ncclKernel_SendRecv', 20, 10),
      nccl(2, 'ncclKernel_SendRecv', 25, 15),
    ]);
    const rows = textRows(await reportOfFile(path, 'collective_trace'));
    expect(rows).toMatchObject([
      {Operation: 'reduce_scatter', Kernels: '2', 'Duration (ns)': '20000', Bytes: '512', 'BusBW (GB/s)': 'None'},
    ]);
  });

  it('keeps a call that launched nothing, and leaves out waiting for one', async () => {
    const said = (name: string) => ({...arguments2024, 'Collective name': name, 'Group size': 1});
    const path = fileOf('alone.json', [
      kineto.op('record_param_comms', 0, 30, said('broadcast')),
      kineto.op('record_param_comms', 40, 30, said('wait')),
    ]);
    const rows = textRows(await reportOfFile(path, 'collective_trace'));
    expect(rows).toMatchObject([{Operation: 'broadcast', Kernels: '0', 'Duration (ns)': '0', 'AlgBW (GB/s)': 'None'}]);
  });
});

describe('collective_trace and collective_sum of a selection', () => {
  const path = fileOf('selected.json', [
    kineto.op('record_param_comms', 0, 30, {...arguments2024, 'External id': 5}),
    kineto.call(1, 5, 5),
    nccl(1, 'ncclDevKernel_AllReduce', 20, 40, {...arguments2024, stream: 20}),
    kineto.call(2, 40, 5),
    kineto.kernel(2, 100, 10),
  ]);
  const rowsOf = async (name: string, selection: Selection) => {
    const trace = await openTrace(path);
    const details = await loadReportDetails(path, trace, new Set(detailKinds));
    return textRows(reportOfTrace(trace, name, reportScope(trace, selection), details));
  };

  it('have the bandwidth of whole calls, of which the time is in the window', async () => {
    const whole = {Bytes: '2000', 'AlgBW (GB/s)': '0.050'};
    for (const name of ['collective_trace', 'collective_sum']) {
      expect(await rowsOf(name, {})).toMatchObject([whole]);
      expect(await rowsOf(name, {fromNs: 50_000, toNs: 200_000})).toMatchObject([whole]);
    }
    expect((await rowsOf('collective_trace', {fromNs: 50_000, toNs: 200_000}))[0]).toMatchObject({
      'Duration (ns)': '10000',
    });
  });

  it('have it of calls with a kernel outside the window or on another stream', async () => {
    const file = fileOf('two-kernels.json', [
      kineto.op('record_param_comms', 0, 30, {...arguments2024, 'External id': 5}),
      ...[kineto.call(1, 5, 5), kineto.call(2, 15, 5)],
      nccl(1, 'ncclDevKernel_SendRecv', 20, 10, {...arguments2024, stream: 20}),
      nccl(2, 'ncclDevKernel_SendRecv', 30, 10, {...arguments2024, stream: 21}),
    ]);
    for (const selection of [{}, {fromNs: 32_000, toNs: 50_000}, {stream: 20}]) {
      const trace = await openTrace(file);
      const details = await loadReportDetails(file, trace, new Set(detailKinds));
      const rows = textRows(reportOfTrace(trace, 'collective_sum', reportScope(trace, selection), details));
      expect(rows).toMatchObject([{Bytes: '2000', 'AlgBW (GB/s)': '0.100', 'Num Calls': '1'}]);
    }
  });

  it('leave out a call whose kernels are elsewhere', async () => {
    expect(await rowsOf('collective_trace', {stream: 7})).toEqual([]);
    expect(await rowsOf('collective_trace', {toNs: 15_000, fromNs: 0})).toEqual([]);
  });
});

describe('collective_sum', () => {
  it('adds up calls of an operation and group, and splits waiting from transfer where every rank is there', async () => {
    const rank = (device: number, seq: number, ts: number, dur: number) => ({
      ...nccl(10 * device + seq, 'ncclDevKernel_AllReduce', ts, dur, {
        ...arguments2024,
        'Group size': 2,
        Seq: seq,
        device,
      }),
      pid: device,
    });
    const ranks = [rank(0, 1, 0, 50), rank(1, 1, 30, 20), rank(0, 2, 60, 10), rank(1, 2, 55, 15)];
    const path = fileOf('ranks.json', [...ranks, kineto.kernel(1, 100, 5)]);
    const report = await reportOfFile(path, 'collective_sum');
    expect(report.rows.footer).toEqual(['95 % of all GPU work is of collective operations.']);
    expect(textRows(report)).toMatchObject([
      {
        'Time (%)': '95.00',
        'Total Time (ns)': '95000',
        'Num Calls': '4',
        Bytes: '8000',
        'Wait (ns)': '35000',
        'Transfer (ns)': '60000',
      },
    ]);
  });
});

describe('splitWaiting(ranks)', () => {
  const call = (busyNs: number, sequence = NaN): CollectiveCall => ({
    operation: 'all_reduce',
    group: null,
    groupDescription: null,
    ...{groupRanks: null, splits: null, peer: NaN, sentBytes: NaN, calledNs: NaN, mpi: null},
    dataType: null,
    groupSize: 2,
    bytes: NaN,
    sequence,
    process: 0,
    device: 0,
    stream: 7,
    startNs: 0,
    endNs: busyNs,
    kernels: 1,
    isOnCpu: false,
    busyNs,
    wholeNs: busyNs,
    exposedNs: 0,
  });

  it('joins calls by their order where they have no number', () => {
    const ranks = [
      [call(50), call(10)],
      [call(20), call(30)],
    ];
    const waiting = ranks.flat().map(one => splitWaiting(ranks).get(one));
    expect(waiting.map(split => [split?.waitNs, split?.transferNs])).toEqual([
      [30, 20],
      [0, 10],
      [0, 20],
      [20, 10],
    ]);
  });

  it('says nothing of a call where a rank is missing', () => {
    const ranks = [[call(50, 1), call(10, 2)], [call(20, 2)]];
    expect([...splitWaiting(ranks).values()].map(({waitNs}) => waitNs)).toEqual([0, 10]);
  });
});

describe('collectiveOperation(text)', () => {
  it.each([
    ['allreduce', 'all_reduce'],
    ['_allgather_base', 'all_gather'],
    ['nccl:_reduce_scatter_base', 'reduce_scatter'],
    ['all_to_allv', 'all_to_all'],
    ['AllReduce_Sum_f32_RING_LL', 'all_reduce'],
    ['ReduceScatter_Sum', 'reduce_scatter'],
    ['SendRecv_RING', 'send_recv'],
    ['Reduce_Sum', 'reduce'],
    ['', 'other'],
  ])('of %s is %s', (text, operation) => {
    expect(collectiveOperation(text)).toBe(operation);
  });
});

describe('busFactor(operation, ranks) and collectiveBytes(operation, size)', () => {
  it('are those of NCCL’s tests', () => {
    expect([busFactor('gather', 8), busFactor('scatter', 8)]).toEqual([7 / 8, 7 / 8]);
    expect([busFactor('all_reduce', 8), busFactor('all_gather', 8), busFactor('broadcast', 8)]).toEqual([
      1.75, 0.875, 1,
    ]);
    const size = {inElements: 10, outElements: NaN, groupSize: 8, dataType: 'Float'};
    expect(collectiveBytes('all_gather', size)).toBe(320);
    expect(collectiveBytes('all_gather', {...size, groupSize: NaN})).toBeNaN();
    expect(collectiveBytes('reduce_scatter', {...size, outElements: 2})).toBe(40);
    expect(bytesOfType('constructor')).toBeNaN();
  });
});

describe.skipIf(!hasData)('collective_sum of real profiles', () => {
  itEachFile(dataFiles('kineto', '.json.gz'))('$name has the communication of gpu_timeline', async ({path}) => {
    const [calls, timeline] = (await reportsOfFile(path, ['collective_sum', 'gpu_timeline'])).map(textRows);
    const sum = (rows: Record<string, string>[] | undefined, column: string) =>
      (rows ?? []).reduce((total, row) => total + Number(row[column]), 0);
    expect(sum(calls, 'Exposed (ns)')).toBe(sum(timeline, 'Exposed Comm (ns)'));
    expect(sum(calls, 'Total Time (ns)')).toBe(sum(timeline, 'Total Comm (ns)'));
  });

  it('has the operations of annotations, and bytes of what their operators say', async () => {
    const ddp = textRows(await reportOfFile(join(dataFolder, 'kineto', 'ddp-rank-1-of-128.json.gz'), 'collective_sum'));
    expect(ddp.map(row => [row['Operation'], row['Num Calls'], row['Total Time (ns)'], row['Bytes']])).toEqual([
      ['all_to_all', '4', '229700000', '745202432'],
      ['all_gather', '2', '104907000', 'None'],
      ['all_reduce', '4', '44446000', 'None'],
    ]);
    const alone = textRows(
      await reportOfFile(join(dataFolder, 'kineto', 'ns-resolution-rank0.json.gz'), 'collective_sum'),
    );
    expect(alone.map(row => [row['Operation'], row['Num Calls'], row['Ranks'], row['Bytes'], row['Group']])).toEqual([
      ['broadcast', '10', '1', '1064520', '0'],
      ['all_reduce', '25', '1', '511140640', '0'],
    ]);
  });
});
