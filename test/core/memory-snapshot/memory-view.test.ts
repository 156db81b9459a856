import {describe, expect, it} from 'vitest';
import {allocationGroups, memoryStackings} from '../../../src/core/memory-snapshot/allocation-groups.js';
import {byteTicks} from '../../../src/core/memory-snapshot/byte-ticks.js';
import {keptMemory} from '../../../src/core/memory-snapshot/kept-rows.js';
import {lineMemory} from '../../../src/core/memory-snapshot/line-memory.js';
import {lineMemoryHover, lineMemoryText} from '../../../src/core/memory-snapshot/line-memory-text.js';
import {liveBlocks} from '../../../src/core/memory-snapshot/live-blocks.js';
import {looksLikeSnapshot} from '../../../src/core/memory-snapshot/looks-like-snapshot.js';
import {memoryCurve} from '../../../src/core/memory-snapshot/memory-curve.js';
import {memoryFlame} from '../../../src/core/memory-snapshot/memory-flame.js';
import {replayDevice} from '../../../src/core/memory-snapshot/replay.js';
import {segmentRows} from '../../../src/core/memory-snapshot/segment-rows.js';
import {flameName} from '../../../src/core/flame/flame-graph.js';
import {block, event, frame, segment, snapshotData} from '../../support/memory-snapshots.js';
import {pickleOf} from '../../support/pickle-writer.js';
import {snapshotOf} from '../../support/read-snapshot.js';
import {snapshotLines, trainingSnapshot} from '../../support/training-snapshot.js';

const MiB = 1 << 20;
const snapshot = snapshotOf(trainingSnapshot());
const memory = replayDevice(snapshot, 0);
const sum = (values: Iterable<number>) => [...values].reduce((all, value) => all + value, 0);

/** What is live at a moment, told by a loop over all allocations. */
function liveAt(moment: number): number[] {
  const {length, fromMoment, untilMoment} = memory.allocations;
  return Array.from({length}, (_, i) => i).filter(
    i => (fromMoment[i] ?? NaN) <= moment && moment < (untilMoment[i] ?? NaN),
  );
}

describe('memoryCurve', () => {
  it.each(memoryStackings)('stacked by %s, its bands add up to the allocated bytes of each shown moment', by => {
    const groups = allocationGroups(snapshot, memory, by);
    for (const columns of [1, 7, 50, 10_000]) {
      const curve = memoryCurve(memory, groups, {fromMoment: 0, toMoment: memory.eventCount, columns});
      expect(curve.columns).toBe(Math.min(columns, memory.eventCount + 1));
      expect(Math.max(...curve.allocatedBytes)).toBe(memory.allocatedBytes[memory.peakMoment]);
      curve.moments.forEach((moment, column) => {
        expect(curve.allocatedBytes[column]).toBe(memory.allocatedBytes[moment]);
        expect(sum(curve.bands.map(({bytes}) => bytes[column] ?? NaN))).toBe(memory.allocatedBytes[moment]);
        for (const {name, bytes} of curve.bands) {
          const own = liveAt(moment).filter(i => groups.names[groups.groupOf[i] ?? -1] === name);
          expect([name, bytes[column]]).toEqual([name, sum(own.map(i => memory.allocations.bytes[i] ?? NaN))]);
        }
      });
    }
  });

  it('cuts a window to the history, and shows each moment where there is room', () => {
    const groups = allocationGroups(snapshot, memory, 'line');
    const curve = memoryCurve(memory, groups, {fromMoment: -5, toMoment: 9, columns: 100});
    expect([...curve.moments]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect([...curve.reservedBytes]).toEqual([...memory.reservedBytes.subarray(0, 10)]);
  });

  it('sums the smallest groups where there are more than colours', () => {
    const groups = {...allocationGroups(snapshot, memory, 'line')};
    const many = {groupOf: groups.groupOf.map((_, i) => i), names: Array.from(groups.groupOf, String), places: []};
    const curve = memoryCurve(memory, many, {fromMoment: 0, toMoment: memory.eventCount, columns: 20});
    expect(curve.bands).toHaveLength(10);
    expect(curve.bands.at(-1)?.name).toBe('all others');
    curve.moments.forEach((moment, column) => {
      expect(sum(curve.bands.map(({bytes}) => bytes[column] ?? NaN))).toBe(memory.allocatedBytes[moment]);
    });
  });
});

it('categories are told by stacks: parameters, activations, gradients and optimizer state', () => {
  const {groupOf, names} = allocationGroups(snapshot, memory, 'category');
  const bytesOf = (name: string) =>
    sum(
      liveAt(memory.eventCount)
        .filter(i => names[groupOf[i] ?? -1] === name)
        .map(i => memory.allocations.bytes[i] ?? 0),
    );
  expect(bytesOf('parameters')).toBe(160 * MiB);
  expect(bytesOf('optimizer state')).toBe(320 * MiB);
  expect(bytesOf('other')).toBe(32 * MiB);
  expect([...names].sort()).toEqual([
    'activations',
    'gradients and backward',
    'optimizer state',
    'other',
    'parameters',
  ]);
});

it('live blocks are the largest first, with age and what frees them', () => {
  const {blocks, count} = liveBlocks(snapshot, memory, memory.peakMoment, 3);
  expect(count).toBe(liveAt(memory.peakMoment).length);
  expect(blocks.map(({bytes}) => bytes)).toEqual([160 * MiB, 160 * MiB, 64 * MiB]);
  const [block] = blocks;
  expect(block).toMatchObject({line: snapshotLines.step, function: 'train_step', freedEvent: null});
  expect(block?.stack.map(place => place.function)).toEqual(['_init_group', 'step', 'train_step', '<module>']);
  expect(block?.ageUs).toBe(137 * (memory.peakMoment - 1 - (block?.allocatedEvent ?? 0)));
});

it('the flame graph adds up to the live bytes, from the outermost frame inwards', () => {
  const graph = memoryFlame(snapshot, memory, memory.peakMoment);
  expect(graph.total).toBe(memory.allocatedBytes[memory.peakMoment]);
  expect(sum(graph.nodes.self)).toBe(graph.total);
  expect(graph.nodes.parent[1]).toBe(0);
  expect(flameName(graph, 1)).toBe('<module> (train.py:30)');
  expect(graph.nodes.total[1]).toBe(graph.total);
});

/** The cache's block comes after its optimizer's step: the last is in no step. */
it('kept rows are allocated in the history and never freed; a cache that grows has a block for each step', () => {
  const {rows, steps, isGuessed} = keptMemory(snapshot, memory);
  expect({steps, isGuessed}).toEqual({steps: 4, isGuessed: true});
  expect(sum(rows.map(({bytes}) => bytes))).toBe(memory.allocatedBytes.at(-1));
  expect(rows.find(({line}) => line === snapshotLines.cache)).toMatchObject({
    ...{blocks: 4, allocated: 4, bytes: 32 * MiB, steps: 3},
  });
  expect(rows.find(({line}) => line === snapshotLines.parameters)?.steps).toBe(1);
  expect(rows.map(({line}) => line)).not.toContain(snapshotLines.softmax);
});

it('segments add up to what is reserved, and their blocks to the segments', () => {
  const rows = segmentRows(snapshot, 0);
  expect(sum(rows.map(({bytes}) => bytes))).toBe(memory.reservedBytes.at(-1));
  for (const {bytes, activeBytes, freeBytes} of rows) expect(activeBytes + freeBytes).toBe(bytes);
});

it('lineMemory has the most that a line held, and what it holds at the peak', () => {
  const lines = lineMemory(snapshot, memory);
  const softmax = lines.find(({line}) => line === snapshotLines.softmax);
  expect(softmax).toMatchObject({peakBytes: 6 * 48 * MiB, heldBytes: 6 * 48 * MiB, heldBlocks: 6});
  const backward = lines.find(({line}) => line === snapshotLines.backward);
  expect(backward).toMatchObject({peakBytes: 160 * MiB, heldBytes: 0, largest: []});
  for (const {line, peakBytes} of lines) {
    const most = Array.from(memory.allocatedBytes, (_, moment) => {
      const own = liveAt(moment).filter(i => allocationLine(i) === line);
      return sum(own.map(i => memory.allocations.bytes[i] ?? 0));
    });
    expect([line, peakBytes]).toEqual([line, Math.max(...most)]);
  }
  if (!softmax || !backward) throw new Error('No such line.');
  expect(lineMemoryText(softmax)).toBe('peak 288 MiB · holds 288 MiB');
  expect(lineMemoryText(backward)).toBe('peak 160 MiB');
  expect(lineMemoryHover(softmax, 'a.pickle')).toContain('288 MiB in 6 blocks');
});

function allocationLine(i: number): number {
  const {groupOf, places} = allocationGroups(snapshot, memory, 'line');
  return places[groupOf[i] ?? -1]?.line ?? 0;
}

it.each([
  [0, []],
  [100, [20, 40, 60, 80, 100]],
  [1.9 * 1024 ** 3, [0.5, 1, 1.5].map(value => value * 1024 ** 3)],
])('byteTicks(%d) are round', (most, ticks) => {
  expect(byteTicks(most)).toEqual(ticks);
});

it('looksLikeSnapshot tells snapshots from other pickles and other files', () => {
  expect(looksLikeSnapshot(pickleOf(trainingSnapshot()))).toBe(true);
  expect(looksLikeSnapshot(pickleOf({weights: [1, 2]}))).toBe(false);
  expect(looksLikeSnapshot(Buffer.from('segments'))).toBe(false);
  expect(looksLikeSnapshot(Buffer.alloc(0))).toBe(false);
});

it('memory is stacked by module: the innermost of the person’s own that was open, by class where the frame tells it', () => {
  const torch = '/opt/site-packages/torch/nn/modules';
  const own = frame('/home/me/model.py', 9, 'Attention.forward');
  const stacks = [
    [frame(`${torch}/linear.py`, 1, 'forward'), frame(`${torch}/module.py`, 2, '_call_impl'), own],
    [frame(`${torch}/linear.py`, 1, 'forward'), frame('/home/me/run.py', 3, '<module>')],
    [frame('/home/me/old.py', 4, 'forward'), own],
    [frame('/home/me/run.py', 3, '<module>')],
  ];
  const trace = stacks.map((frames, at) => event('alloc', 4096 * (at + 1), 10 * (at + 1), frames));
  const blocks = stacks.map((frames, at) => block(4096 * (at + 1), 10 * (at + 1), frames));
  const made = snapshotOf(snapshotData([segment(4096, 65536, blocks)], [trace]));
  const groups = allocationGroups(made, replayDevice(made, 0), 'module');
  expect([...groups.names].sort()).toEqual([
    '(no module)',
    'Attention (model.py)',
    'forward in linear.py',
    'forward in old.py',
  ]);
});
