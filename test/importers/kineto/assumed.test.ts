import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {rangeRows, type RangeRow} from '../../../src/core/figures/range-rows.js';
import {rangeTable} from '../../../src/core/tabs/range-table.js';
import {columnHeader} from '../../../src/core/reports/report.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {run} from '../../support/command-line.js';
import {kineto, kinetoText, type KinetoEvent} from '../../support/kineto-events.js';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();

function fileOf(events: readonly object[]): string {
  const path = join(folder, 'events.json');
  writeFileSync(path, kinetoText(events));
  return path;
}

const traceOf = (events: readonly object[]) => openTrace(fileOf(events));

function noteOf(trace: Trace, code: string): string | undefined {
  return trace.notes.find(note => note.code === code)?.text;
}

function rowOf(trace: Trace, name: string): RangeRow | undefined {
  return rangeRows(trace, 'name').find(row => row.name === name);
}

/** An event of another process. */
function of(pid: number, event: KinetoEvent): object {
  return {...event, pid, tid: pid};
}

const two = [of(100, kineto.range('first', 0, 1000)), of(200, kineto.range('second', 0, 1000))];

describe('two processes that share correlation ids', () => {
  const code = 'attribution/shared-ids';

  it('have each its own work, where a device has other ids of one of them alone', async () => {
    const trace = await traceOf([
      ...two,
      of(100, kineto.call(7, 5, 1)),
      kineto.kernel(7, 300, 1, {device: 0}),
      of(200, kineto.call(8, 5, 1)),
      kineto.kernel(8, 300, 1, {device: 1}),
      ...[1, 2, 3].flatMap(id => [of(100, kineto.call(id, 10 * id, 1)), of(200, kineto.call(id, 10 * id + 5, 1))]),
      ...[1, 2, 3].flatMap(id => [
        kineto.kernel(id, 100 * id, 10, {device: 0}),
        kineto.kernel(id, 100 * id + 50, 20, {device: 1}),
      ]),
    ]);
    expect(rowOf(trace, 'first')).toMatchObject({gpuWorkNs: 31_000, ops: 4, assumed: 0});
    expect(rowOf(trace, 'second')).toMatchObject({gpuWorkNs: 61_000, ops: 4, assumed: 0});
    expect(noteOf(trace, code)).toBe(
      'Calls of processes 100, 200 share the correlation ids of 6 GPU operations. 6 operations were assigned to the process whose calls fit the device.',
    );
  });

  it('have each its own work, where one of them called too late for a device', async () => {
    const trace = await traceOf([
      ...two,
      of(100, kineto.call(1, 10, 1)),
      of(200, kineto.call(1, 400, 1)),
      kineto.kernel(1, 100, 10, {device: 0}),
      of(100, kineto.call(2, 500, 1)),
      of(200, kineto.call(2, 501, 1)),
      kineto.kernel(2, 600, 10, {device: 0}),
    ]);
    expect(rowOf(trace, 'first')).toMatchObject({ops: 2, assumed: 0});
    expect(rowOf(trace, 'second')).toMatchObject({ops: 0});
  });

  it('have work by order, with a note and a mark, where nothing tells whose it is', async () => {
    const events = [
      ...two,
      ...[1, 2].flatMap(id => [of(100, kineto.call(id, 10 * id, 1)), of(200, kineto.call(id, 10 * id + 5, 1))]),
      ...[1, 2].flatMap(id => [kineto.kernel(id, 100 * id, 10), kineto.kernel(id, 100 * id + 50, 20, {stream: 9})]),
    ];
    const trace = await traceOf(events);
    expect(rowOf(trace, 'first')).toMatchObject({gpuWorkNs: 20_000, ops: 2, assumed: 2});
    expect(rowOf(trace, 'second')).toMatchObject({gpuWorkNs: 40_000, ops: 2, assumed: 2});
    expect(noteOf(trace, code)).toMatch(
      /The file does not say which process 4 operations belong to\. GPU Lens assigned them to the calls with their ids/,
    );
    const table = rangeTable(trace, {});
    expect(table.columns.map(columnHeader)).toContain('Assumed');
    const path = fileOf(events);
    const {stdout, stderr} = run('ranges', path);
    expect(stdout.split('\n')[0]).toMatch(/ Assumed$/);
    expect(stderr).toContain('The file does not say which process 4 operations belong to');
    const rows = JSON.parse(run('ranges', path, '--format', 'json').stdout) as RangeRow[];
    expect(rows.map(({name, assumed}) => [name, assumed]).slice(0, 2)).toEqual([
      ['second', 2],
      ['first', 2],
    ]);
  });

  it('are no matter where each id is of one of them', async () => {
    const trace = await traceOf([
      ...two,
      of(100, kineto.call(1, 10, 1)),
      of(200, kineto.call(2, 10, 1)),
      kineto.kernel(1, 100, 10),
      kineto.kernel(2, 200, 20),
    ]);
    expect(rowOf(trace, 'second')).toMatchObject({gpuWorkNs: 20_000, assumed: 0});
    expect(noteOf(trace, code)).toBeUndefined();
    expect(rangeTable(trace, {}).columns.map(columnHeader)).not.toContain('Assumed');
  });
});

describe('backward operators without flows, and two forward threads', () => {
  const code = 'attribution/assumed-threads';
  /** A range with an operator on each of two threads, both with the sequence number 5. */
  const forward = (first: string, second: string) => [
    kineto.range('one', 0, 50, 1),
    kineto.op(first, 10, 10, {'Sequence number': 5, 'Fwd thread id': 0}, 1),
    kineto.range('two', 5, 50, 2),
    kineto.op(second, 20, 10, {'Sequence number': 5, 'Fwd thread id': 0}, 2),
  ];
  const backward = (name: string, thread: number, ts: number, correlation: number) => [
    kineto.op(name, ts, 20, {'Sequence number': 5, 'Fwd thread id': thread}, 3),
    {...kineto.call(correlation, ts + 5, 1), tid: 3},
    kineto.kernel(correlation, ts + 500, 10),
  ];

  it('go to the thread whose operators have their names', async () => {
    const trace = await traceOf([
      ...forward('aten::mm', 'aten::native_layer_norm'),
      ...backward('NativeLayerNormBackward0', 1, 100, 1),
      ...backward('MmBackward0', 2, 200, 2),
    ]);
    expect(rowOf(trace, 'one')).toMatchObject({backwardOps: 1, assumed: 0});
    expect(rowOf(trace, 'two')).toMatchObject({backwardOps: 1, assumed: 0});
    expect(noteOf(trace, code)).toBeUndefined();
  });

  it('go to threads in order, with a note and a mark, where names are alike', async () => {
    const trace = await traceOf([
      ...forward('aten::mm', 'aten::mm'),
      ...backward('MmBackward0', 1, 100, 1),
      ...backward('MmBackward0', 4, 200, 2),
    ]);
    expect(rowOf(trace, 'one')).toMatchObject({backwardOps: 1, assumed: 1});
    expect(rowOf(trace, 'two')).toMatchObject({backwardOps: 1, assumed: 1});
    expect(noteOf(trace, code)).toMatch(/^2 backward operators fit forward operators of several threads\. /);
  });
});

describe('durations that are texts or missing', () => {
  it('are read where the text is a number', async () => {
    const trace = await traceOf([
      {...kineto.kernel(1, 10, 0), dur: '12.5'},
      {...kineto.kernel(2, 50, 5), ts: '50.25'},
    ]);
    expect([...trace.slices.durationNs]).toEqual([12_500, 5000]);
    expect([...trace.slices.startNs]).toEqual([0, 40_250]);
    expect(trace.assumed.length).toBe(0);
  });

  it('have a note that counts them, and a mark, where there is no number', async () => {
    const trace = await traceOf([
      kineto.range('step', 0, 100),
      kineto.call(1, 5, 1),
      {...kineto.kernel(1, 20, 10), dur: undefined},
      {...kineto.range('inside', 10, 5), dur: 'long'},
    ]);
    expect(noteOf(trace, 'events/no-duration')).toBe(
      '2 events have no duration that is a number (kernel 1, user_annotation 1). GPU Lens assumes 0 ns.',
    );
    expect(rowOf(trace, 'step')).toMatchObject({ops: 1, gpuWorkNs: 0, assumed: 1});
    expect(rowOf(trace, 'inside')).toMatchObject({cpuWallNs: 0, assumed: 1});
  });
});
