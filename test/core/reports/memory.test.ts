import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {reportScope} from '../../../src/core/scope/report-scope.js';
import {MostIn} from '../../../src/core/figures/memory-events.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {reportOfFile, reportOfTrace, textRows} from '../../support/make-report.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {temporaryFolder} from '../../support/project.js';
import {seededRandom} from '../../support/random.js';
import {dataFolder, hasData} from '../../support/real-data.js';

let allocated = 1000;

/** A memory event of PyTorch; totals go on from 1000 bytes. */
function memory(ts: number, bytes: number, address: number, tid = 100) {
  allocated += bytes;
  const args = {Bytes: bytes, Addr: address, 'Device Type': 1, 'Device Id': 0, 'Total Allocated': allocated};
  return {ph: 'i', cat: 'cpu_instant_event', s: 't', name: '[memory]', pid: 100, tid, ts, args};
}

const path = join(temporaryFolder(), 'memory.json');
writeFileSync(
  path,
  kinetoText([
    kineto.range('step', 0, 100),
    kineto.range('forward', 10, 30),
    kineto.range('forward', 15, 10),
    memory(12, 300, 1),
    memory(20, 500, 2),
    memory(24, -500, 2),
    kineto.range('loss', 50, 20),
    memory(55, 100, 3),
    // Another thread allocates while "loss" is open: no allocation of the range's, but in use.
    kineto.op('aten::mm', 56, 10, {}, 200),
    memory(60, 50, 4, 200),
    memory(90, -300, 1),
    {...memory(65, 0, 0), name: '[OutOfMemory]', args: {Bytes: 4096, 'Device Type': 1, 'Device Id': 0}},
  ]),
);

describe('memory_sum', () => {
  it('tells what ranges allocated and freed, the peak above their entry and the peak while they were open', async () => {
    const rows = textRows(await reportOfFile(path, 'memory_sum'));
    expect(rows.map(row => Object.values(row))).toEqual([
      // Range, device, instances, allocations, frees, allocated, freed, net, peak above entry, peak, copies, copied.
      ['step', '(0)', '1', '3', '2', '900', '800', '100', '800', '1800', '0', '0'],
      ['forward', '(0)', '1', '2', '1', '800', '500', '300', '800', '1800', '0', '0'],
      ['loss', '(0)', '1', '1', '0', '100', '0', '100', '150', '1450', '0', '0'],
      ['(outside any range)', '(0)', '0', '1', '0', '50', '0', '50', '50', '1450', '0', '0'],
    ]);
  });

  it('is of a range’s insides, or of a window, where that is asked for', async () => {
    const trace = await openTrace(path);
    const rangesOf = (selection: object) =>
      textRows(reportOfTrace(trace, 'memory_sum', reportScope(trace, selection))).map(row => row['Range']);
    expect(rangesOf({range: 'loss'})).toContain('loss');
    expect(rangesOf({range: 'loss'})).not.toContain('forward');
    expect(rangesOf({device: 1})).toEqual([]);
    const [window = {}] = textRows(reportOfTrace(trace, 'memory_sum', reportScope(trace, {fromNs: 50_000})));
    expect([window['Range'], window['Allocated (B)'], window['Peak (B)']]).toEqual(['step', '100', '1450']);
  });
});

describe('copies of memory_sum', () => {
  const copy = (correlation: number, ts: number, bytes: number, device = 0) => ({
    ...kineto.kernel(correlation, ts, 5, {bytes, device}),
    ...{cat: 'gpu_memcpy', name: 'Memcpy HtoD (Pageable -> Device)'},
  });
  const copies = join(temporaryFolder(), 'copies.json');
  writeFileSync(
    copies,
    kinetoText([
      kineto.range('step', 0, 100),
      // One name inside itself counts a copy once.
      kineto.range('load', 10, 40),
      kineto.range('load', 12, 20),
      kineto.call(1, 15, 2),
      copy(1, 20, 1000),
      kineto.call(2, 40, 2),
      copy(2, 45, 500, 1),
      kineto.call(3, 200, 2),
      copy(3, 210, 70),
      copy(4, 300, 9),
      kineto.call(5, 60, 2),
      kineto.kernel(5, 70, 5),
    ]),
  );
  const rowsIn = async (selection: object) => {
    const trace = await openTrace(copies);
    return textRows(reportOfTrace(trace, 'memory_sum', reportScope(trace, selection))).map(row => [
      ...[row['Range'], row['Device'], row['Copies'], row['Copied (B)'], row['Peak (B)']],
    ]);
  };

  it('are told by range and GPU, of profiles without memory events, too', async () => {
    expect(await rowsIn({})).toEqual([
      ['step', '(0)', '1', '1000', 'None'],
      ['load', '(0)', '1', '1000', 'None'],
      ['step', '(1)', '1', '500', 'None'],
      ['load', '(1)', '1', '500', 'None'],
      ['(outside any range)', '(0)', '1', '70', 'None'],
      ['(no launch call)', '(0)', '1', '9', 'None'],
    ]);
  });

  it('stand alone with a note that tells how to record memory', async () => {
    expect(reportOfTrace(await openTrace(copies), 'memory_sum').rows.footer).toEqual([
      'Copies alone: no memory events here; record with profile_memory=True, or nsys --cuda-memory-usage=true',
    ]);
    expect((await reportOfFile(path, 'memory_sum')).rows.footer).toBeUndefined();
  });

  it('are those of a selection', async () => {
    expect(await rowsIn({device: 1})).toEqual([
      ['step', '(1)', '1', '500', 'None'],
      ['load', '(1)', '1', '500', 'None'],
    ]);
    expect((await rowsIn({range: 'load'})).every(([range]) => range === 'load')).toBe(true);
  });
});

describe('copies of memory_sum without a size', () => {
  it('add nothing to the bytes, and leave them out where no size is known', async () => {
    const path = join(temporaryFolder(), 'sizeless.json');
    const copy = (correlation: number, ts: number, args: object) => ({
      ...kineto.kernel(correlation, ts, 5, args),
      ...{cat: 'gpu_memcpy', name: 'Memcpy HtoD (Pageable -> Device)'},
    });
    writeFileSync(
      path,
      kinetoText([
        ...[kineto.range('some', 0, 50), kineto.call(1, 5, 2), copy(1, 10, {}), kineto.call(2, 20, 2)],
        ...[copy(2, 25, {bytes: 300}), kineto.range('none', 60, 30), kineto.call(3, 70, 2), copy(3, 75, {})],
      ]),
    );
    const rows = textRows(reportOfTrace(await openTrace(path), 'memory_sum'));
    expect(rows.map(row => [row['Range'], row['Copies'], row['Copied (B)']])).toEqual([
      ['some', '2', '300'],
      ['none', '1', 'None'],
    ]);
  });
});

describe('memory_sum and memory_held of a selection', () => {
  const rowsOf = async (name: string, selection: object) => {
    const trace = await openTrace(path);
    const details = await loadReportDetails(path, trace, new Set(['addresses']));
    return textRows(reportOfTrace(trace, name, reportScope(trace, selection), details));
  };

  it('count nothing as outside of any range that is in a range which was not selected', async () => {
    const sums = async (selection: object) =>
      (await rowsOf('memory_sum', selection)).map(row => [row['Range'], row['Allocated (B)'], row['Peak (B)']]);
    expect(await sums({range: 'forward'})).toEqual([['forward', '800', '1800']]);
    expect(await sums({range: 'loss'})).toEqual([['loss', '100', '1450']]);
    expect(await sums({step: 0})).toEqual([
      ['step', '900', '1800'],
      ['forward', '800', '1800'],
      ['loss', '100', '1450'],
      ['(outside any range)', '50', '1450'],
    ]);
  });

  it('have the peak and the failures of the selection, with what all ranges held then', async () => {
    const held = async (selection: object) =>
      (await rowsOf('memory_held', selection)).map(row => [row['Moment'], row['Range'], row['Held (B)']]);
    expect(await held({range: 'loss'})).toEqual([
      ['peak', '(before the recording)', '1000'],
      ['peak', 'forward', '300'],
      ['peak', 'loss', '100'],
      ['out of memory', '(before the recording)', '1000'],
      ['out of memory', 'forward', '300'],
      ['out of memory', 'loss', '100'],
      ['out of memory', '(outside any range)', '50'],
    ]);
    expect((await held({range: 'forward'})).map(([moment]) => moment)).not.toContain('out of memory');
  });
});

describe('memory_held', () => {
  it('tells which ranges held most at the peak and where memory ran out', async () => {
    const rows = textRows(await reportOfFile(path, 'memory_held'));
    expect(rows.map(row => Object.values(row))).toEqual([
      ['peak', '20000', '(0)', '1800', '(before the recording)', '0', '1000'],
      ['peak', '20000', '(0)', '1800', 'forward', '2', '800'],
      ['out of memory', '65000', '(0)', '1450', '(before the recording)', '0', '1000'],
      ['out of memory', '65000', '(0)', '1450', 'forward', '1', '300'],
      ['out of memory', '65000', '(0)', '1450', 'loss', '1', '100'],
      ['out of memory', '65000', '(0)', '1450', '(outside any range)', '1', '50'],
    ]);
  });
});

it('memory_held tells of the failures of a device’s own process', async () => {
  const file = join(temporaryFolder(), 'two-processes.json');
  const ofOther = (event: object) => ({...event, pid: 200, tid: 201});
  const failure = {...memory(30, 0, 0), name: '[OutOfMemory]', args: {Bytes: 4096, 'Device Type': 1, 'Device Id': 0}};
  writeFileSync(file, kinetoText([memory(10, 300, 1), ofOther(memory(20, 200, 2)), ofOther(failure)]));
  const trace = await openTrace(file);
  const details = await loadReportDetails(file, trace, new Set(['addresses']));
  const moments = textRows(reportOfTrace(trace, 'memory_held', undefined, details)).map(({Moment}) => Moment);
  // Two of the first process; of the second, two at its peak and two when it had none left.
  expect(moments).toEqual([...Array<string>(4).fill('peak'), 'out of memory', 'out of memory']);
});

describe('MostIn(values).in(first, end)', () => {
  it('is the most of every part', () => {
    const random = seededRandom(5);
    const values = Float64Array.from({length: 37}, () => Math.floor(random() * 100));
    const most = new MostIn(values);
    for (let first = 0; first <= 37; first++) {
      for (let end = first; end <= 37; end++) expect(most.in(first, end)).toBe(Math.max(...values.slice(first, end)));
    }
  });
});

describe.skipIf(!hasData)('memory_sum of a real profile', () => {
  it('has the bytes and the highest total of its memory events', async () => {
    const file = join(dataFolder, 'kineto', 'qwen1.5-0.5b-h100.json.gz');
    interface Event {
      readonly name: string;
      readonly args: Readonly<Record<string, number>>;
    }
    const {traceEvents} = JSON.parse(gunzipSync(readFileSync(file)).toString()) as {traceEvents: Event[]};
    const events = traceEvents.filter(({name, args}) => name === '[memory]' && args['Device Type'] === 1);
    const bytes = events.map(({args}) => args['Bytes'] ?? 0);
    const trace = await openTrace(file);
    const details = await loadReportDetails(file, trace, new Set(['addresses']));
    const [row = {}] = textRows(reportOfTrace(trace, 'memory_sum'));
    expect([row['Range'], row['Allocations'], row['Allocated (B)'], row['Peak (B)']]).toEqual([
      'ProfilerStep#6',
      String(bytes.filter(change => change > 0).length),
      String(bytes.filter(change => change > 0).reduce((sum, change) => sum + change, 0)),
      String(Math.max(...events.map(({args}) => args['Total Allocated'] ?? 0))),
    ]);
    const held = textRows(reportOfTrace(trace, 'memory_held', undefined, details)).filter(
      ({Device}) => Device !== 'CPU',
    );
    const sum = held.reduce((total, each) => total + Number(each['Held (B)']), 0);
    expect(String(sum)).toBe(row['Peak (B)']);
  });
});
