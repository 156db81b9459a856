import {describe, expect, it} from 'vitest';
import {isOwnCode} from '../../../src/core/memory-snapshot/own-code.js';
import {formatBytes} from '../../../src/core/memory-snapshot/format-bytes.js';
import {liveRows, memoryGroupings} from '../../../src/core/memory-snapshot/live-rows.js';
import {memoryReport, type MemoryQuestion} from '../../../src/core/memory-snapshot/memory-report.js';
import type {MemorySnapshot} from '../../../src/core/memory-snapshot/memory-snapshot.js';
import {replayDevice} from '../../../src/core/memory-snapshot/replay.js';
import {rowDifference} from '../../../src/core/memory-snapshot/row-difference.js';
import {block, event, frame, ownStack, segment, smallSnapshot, snapshotData} from '../../support/memory-snapshots.js';
import type {PlainData} from '../../support/pickle-writer.js';
import {snapshotOf} from '../../support/read-snapshot.js';

function report(data: PlainData, question: Partial<MemoryQuestion> = {}): ReturnType<typeof memoryReport> {
  return memoryReport(snapshotOf(data), {device: 0, at: 'peak', by: 'line', ...question});
}

const allocated = (snapshot: MemorySnapshot): number[] => [...replayDevice(snapshot, 0).allocatedBytes];

describe('replayDevice', () => {
  it('tells allocated and reserved bytes at every moment, backwards from the segments', () => {
    const memory = replayDevice(snapshotOf(smallSnapshot()), 0);
    expect([...memory.allocatedBytes]).toEqual([150, 150, 100, 100, 130, 130, 830, 830, 800, 800]);
    expect([...memory.reservedBytes]).toEqual([6144, 6144, 6144, 6144, 6144, 4096, 4096, 12288, 12288, 12288]);
    expect(memory).toMatchObject({peakMoment: 6, notes: []});
  });

  it('no longer counts a block whose free was requested, though it waits for another stream', () => {
    const waiting = segment(4096, 4096, [block(4096, 100, [], 'active_pending_free')]);
    expect(allocated(snapshotOf(snapshotData([waiting], [[event('free_requested', 4096, 100)]])))).toEqual([100, 0]);
  });

  it('takes completed frees where requests were not recorded', () => {
    const trace = [event('alloc', 4096, 100), event('free_completed', 4096, 100)];
    expect(allocated(snapshotOf(snapshotData([], [trace])))).toEqual([0, 100, 0]);
  });

  it('takes a free whose request was before the history as one that ended before it', () => {
    const trace = [event('free_completed', 4096, 7), event('alloc', 4096, 9), event('free_requested', 4096, 9)];
    expect(allocated(snapshotOf(snapshotData([], [trace])))).toEqual([0, 0, 9, 0]);
  });

  it('counts expandable segments as they are mapped and unmapped', () => {
    const trace = [event('segment_map', 4096, 1000), event('segment_unmap', 4096, 300)];
    const memory = replayDevice(snapshotOf(snapshotData([segment(4096, 5000, [])], [trace])), 0);
    expect([...memory.reservedBytes]).toEqual([4300, 5300, 5000]);
  });

  it('says where a history contradicts itself, and does not count what does', () => {
    const trace = [event('alloc', 4096, 9), event('free_requested', 8192, 5)];
    const memory = replayDevice(snapshotOf(snapshotData([segment(8192, 512, [block(8192, 5)])], [trace])), 0);
    expect([...memory.allocatedBytes]).toEqual([5, 5, 5]);
    expect(memory.notes.map(({code}) => code)).toEqual(['memory/allocation-without-end', 'memory/freed-while-live']);
  });
});

it('liveRows(snapshot, memory, moment, grouping) add up to the allocated bytes at every moment, whatever they are by', () => {
  const snapshot = snapshotOf(smallSnapshot());
  const memory = replayDevice(snapshot, 0);
  for (const grouping of memoryGroupings) {
    const sums = Array.from(memory.allocatedBytes, (_, moment) =>
      liveRows(snapshot, memory, moment, grouping).reduce((sum, {bytes}) => sum + bytes, 0),
    );
    expect([grouping, ...sums]).toEqual([grouping, ...memory.allocatedBytes]);
  }
});

describe('memoryReport', () => {
  it('sums live blocks by the innermost line of the person’s own code; the peak by default', () => {
    expect(report(smallSnapshot())).toMatchObject({
      events: 9,
      peak: {allocatedBytes: 830, reservedBytes: 4096, event: 5},
      end: {allocatedBytes: 800, reservedBytes: 12288},
      at: {allocatedBytes: 830, event: 5},
      rows: [
        {file: '/home/me/train.py', line: 20, function: 'step', bytes: 700, blocks: 1},
        {file: null, line: null, function: null, bytes: 100, blocks: 1},
        {file: '/home/me/train.py', line: 10, function: 'step', bytes: 30, blocks: 1},
      ],
    });
  });

  it('shows the state after an event', () => {
    expect(report(smallSnapshot(), {at: 0})?.rows).toMatchObject([{file: null, bytes: 150, blocks: 2}]);
    expect(report(smallSnapshot(), {at: 8})?.at).toEqual({allocatedBytes: 800, reservedBytes: 12288, event: 8});
    expect(report(smallSnapshot(), {at: 9})).toBeNull();
  });

  it('sums by stack, from the innermost frame outwards, and by segment', () => {
    expect(report(smallSnapshot(), {by: 'stack'})?.rows[0]).toMatchObject({
      line: 20,
      bytes: 700,
      stack: [{function: '_call_impl', line: 1787}, {file: '/home/me/train.py'}, {function: '<module>'}],
    });
    expect(report(smallSnapshot(), {by: 'segment'})?.rows).toMatchObject([
      {address: 8192, segmentBytes: 8192, bytes: 700, blocks: 1},
      {address: 4096, segmentBytes: 4096, bytes: 100, blocks: 1},
      {address: null, segmentBytes: null, bytes: 30, blocks: 1},
    ]);
  });

  it('has a null event where the peak is before the first one', () => {
    const peak = report(snapshotData([], [[event('free_requested', 4096, 5)]]))?.peak;
    expect(peak).toEqual({allocatedBytes: 5, reservedBytes: 0, event: null});
  });

  it('notes blocks without stacks, those of libraries alone, and other devices', () => {
    const library = [frame('/x/site-packages/torch/nn/modules/linear.py', 9, 'forward')];
    const blocks = [block(4096, 5), block(4608, 6, library), block(5120, 7, ownStack(3))];
    const data = snapshotData([segment(4096, 1536, blocks), segment(0, 512, [], 1)], [[event('snapshot', 0, 0)]]);
    expect(report(data)?.rows).toMatchObject([{file: null, bytes: 11, blocks: 2}, {line: 3}]);
    const codes = ['memory/no-frames', 'memory/no-own-frame', 'memory/other-devices'];
    expect(report(data)?.notes.map(({code}) => code)).toEqual(codes);
  });
});

it('rowDifference pairs rows by place, and its columns add up with rows that one side lacks', () => {
  const now = report(smallSnapshot())?.rows ?? [];
  const before = report(smallSnapshot(), {at: 0})?.rows ?? [];
  const rows = rowDifference(before, now);
  const columns = rows.map(({line, bytes, otherBytes, deltaBytes, deltaBlocks}) => [
    line,
    bytes,
    otherBytes,
    deltaBytes,
    deltaBlocks,
  ]);
  expect(columns).toEqual([
    [20, 0, 700, 700, 1],
    [null, 150, 100, -50, -1],
    [10, 0, 30, 30, 1],
  ]);
});

it.each([
  ['/home/me/train.py', true],
  ['D:\\Codes\\model.py', true],
  ['/home/me/torch/train.py', true],
  ['/home/me/lib/model.py', true],
  ['/home/me/transformers/mine.py', true],
  ['models/qwen.py', true],
  ['train.py', true],
  ['transformers/models/qwen2/modeling_qwen2.py', false],
  ['PIL\\Image.py', false],
  ['/tmp/ipykernel_12/3456.py', true],
  ['<ipython-input-3-abc>', true],
  ['/usr/lib/python3.12/contextlib.py', false],
  ['C:\\Users\\me\\anaconda3\\envs\\x\\Lib\\contextlib.py', false],
  ['C:\\Users\\me\\anaconda3\\envs\\x\\Lib\\site-packages\\torch\\nn\\modules\\linear.py', false],
  ['/opt/venv/lib/python3.11/site-packages/transformers/trainer.py', false],
  ['/home/me/pytorch/torch/nn/modules/linear.py', false],
  ['/tmp/torchinductor_me/ab/cabc.py', false],
  ['<string>', false],
  ['??', false],
  ['', false],
  ['CUDACachingAllocator.cpp', false],
  ['./nptl/pthread_create.c', false],
  ['libtorch_cuda.so', false],
])('isOwnCode(%j) is %j', (file, expected) => {
  expect(isOwnCode(file)).toBe(expected);
});

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.00 KiB'],
  [-851_443_712, '-812 MiB'],
  [3.2 * 1024 ** 3, '3.20 GiB'],
])('formatBytes(%d) is %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
