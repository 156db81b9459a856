import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {allocationGroups} from '../../../src/core/memory-snapshot/allocation-groups.js';
import {eventsOf} from '../../../src/core/memory-snapshot/events-of.js';
import {memoryCurve} from '../../../src/core/memory-snapshot/memory-curve.js';
import type {MemorySnapshot} from '../../../src/core/memory-snapshot/memory-snapshot.js';
import {replayDevice} from '../../../src/core/memory-snapshot/replay.js';
import {timelineCategories} from '../../../src/importers/memory-timeline/timeline-history.js';
import {memoryOfFile} from '../../../src/importers/memory-of-file.js';
import {temporaryFolder} from '../../support/project.js';
import {seededRandom} from '../../support/random.js';

const folder = temporaryFolder();
let files = 0;

function read(text: string, isPacked = false): Promise<MemorySnapshot> {
  const path = join(folder, `${String(files++)}.json${isPacked ? '.gz' : ''}`);
  writeFileSync(path, isPacked ? gzipSync(text) : text);
  return memoryOfFile(path);
}

const levels = (snapshot: MemorySnapshot): number[] => [...replayDevice(snapshot, 0).allocatedBytes];

type Raw = readonly [timeNs: number, action: number, bytes: number, category: number];

/** What PyTorch's `_coalesce_timeline` makes of raw events: times in µs, and by time the bytes of each category. */
function coalesced(events: readonly Raw[]): [number[], number[][]] {
  const times: number[] = [];
  const sizes: number[][] = [];
  for (const [timeNs, , bytes, category] of events) {
    const time = timeNs === -1 ? -1 : Math.trunc(timeNs / 1000);
    if (times.at(-1) !== time) {
      times.push(time);
      sizes.push([...(sizes.at(-1) ?? Array.from({length: 9}, () => 0))]);
    }
    const last = sizes.at(-1) ?? [];
    last[category + 1] = (last[category + 1] ?? 0) + bytes;
  }
  const first = Math.min(...times.filter(time => time > 0));
  return [times.map(time => (time < 0 ? first : time)), sizes];
}

/** Allocates, frees and changes what memory is for, by chance. */
function madeEvents(): Raw[] {
  const random = seededRandom(9);
  const live: [bytes: number, category: number][] = [];
  const events: Raw[] = [-1, -1].map((time, i) => (live.push([100 + i, 0]), [time, 1, 100 + i, 0]));
  for (let timeNs = 5000; timeNs < 400_000; timeNs += Math.floor(random() * 1500)) {
    const bytes = 1 + Math.floor(random() * 50);
    const category = Math.floor(random() * 8);
    const old = random() < 0.5 ? live.splice(Math.floor(random() * live.length), 1)[0] : undefined;
    if (!old) events.push([timeNs, 2, bytes, category]);
    else if (random() < 0.3) events.push([timeNs, 3, -old[0], old[1]], [timeNs, 3, old[0], category]);
    else events.push([timeNs, 4, -old[0], old[1]]);
    if (!old) live.push([bytes, category]);
    else if (events.at(-1)?.[1] === 3) live.push([old[0], category]);
  }
  return events;
}

describe('a memory timeline of PyTorch', () => {
  it('of raw events is their history, and what was there before begins with the first time', async () => {
    const snapshot = await read(
      '[[-1, 1, 100, 0], [5000, 2, 70, 4], [6000, 3, -70, 4], [6000, 3, 70, 5], [7000, 4, -70, 5]]',
      true,
    );
    expect(levels(snapshot)).toEqual([0, 100, 170, 100, 170, 100]);
    expect([...(eventsOf(snapshot, 0).timeUs ?? [])]).toEqual([5, 5, 6, 6, 7]);
  });

  it('of sizes by category is a history that has them at every time', async () => {
    const sizes = [
      [0, 100, 0, 0, 0, 0, 0, 0, 0],
      [0, 100, 0, 0, 0, 70, 0, 0, 0],
      [0, 100, 0, 0, 0, 10, 60, 0, 0],
    ];
    const snapshot = await read(JSON.stringify([[5, 6, 7], sizes]));
    // 60 of 70 bytes go: the block is freed, and one of 10 stays.
    expect(levels(snapshot)).toEqual([0, 100, 170, 100, 110, 170]);
  });

  it('has in both layouts the bytes of every category at every time that PyTorch charts', async () => {
    const raw = madeEvents();
    const [times, sizes] = coalesced(raw);
    expect(times.length).toBeGreaterThan(100);
    for (const text of [JSON.stringify(raw), JSON.stringify([times, sizes], null, 1)]) {
      const snapshot = await read(text);
      const memory = replayDevice(snapshot, 0);
      const groups = allocationGroups(snapshot, memory, 'category');
      const curve = memoryCurve(memory, groups, {fromMoment: 0, toMoment: 1e6, columns: 1e6});
      const {timeUs} = eventsOf(snapshot, 0);
      times.forEach((time, i) => {
        if (times[i + 1] === time) return;
        const moment = (timeUs ?? []).findLastIndex(other => Math.trunc(other) <= time) + 1;
        const found = timelineCategories.map(name => curve.bands.find(band => band.name === name)?.bytes[moment] ?? 0);
        expect(found).toEqual(sizes[i]?.slice(1));
      });
    }
  });

  it.each([
    ['[[1, 2], [[0, 1, 0, 0, 0, 0, 0, 0, 0]]]', 'import/damaged'],
    ['[[1], [[0, 1]]]', 'import/damaged'],
    ['[[1, 2, 3, 4], [1, 2, 3, 99]]', 'import/damaged'],
    ['[[1, 2, 3], 4]', 'import/damaged'],
    ['[[1, "two", 3, 4]]', 'import/damaged'],
    ['[[1, 2, 3, 4]', 'import/damaged'],
    [`[[${'1'.repeat(1000)}]]`, 'import/damaged'],
    [`[[1, 2, 3, ${'['.repeat(100_000)}`, 'import/damaged'],
    ['[[], []]', 'import/no-events'],
  ])('that is %s ends with a sentence', async (text, code) => {
    await expect(read(text)).rejects.toMatchObject({code});
  });
});
