import {utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {memoryHandlers} from '../../src/engine/memory-handlers.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {OpenSnapshots} from '../../src/engine/open-snapshots.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {pickleOf} from '../support/pickle-writer.js';
import {temporaryFolder} from '../support/project.js';
import {trainingSnapshot} from '../support/training-snapshot.js';
import {snapshotData} from '../support/memory-snapshots.js';

const folder = temporaryFolder();
const MiB = 1 << 20;

function file(name: string, data: Parameters<typeof pickleOf>[0]): string {
  const path = join(folder, name);
  writeFileSync(path, pickleOf(data));
  return path;
}

/** A profile of the same run: its first event is 1 ms before the snapshot's first, and it lasts 20 ms. */
const profile = join(folder, 'profile.json');
writeFileSync(profile, kinetoText([kineto.op('aten::mm', 1_773_270_053_000_137 - 1000, 20_000)]));
const handlers = memoryHandlers(new OpenSnapshots(() => ({}), openTrace), () => openTrace(profile));
const context = {signal: new AbortController().signal, report: () => undefined};

it('answers what a view asks of a snapshot, beginning with its devices', async () => {
  const snapshot = file('oom.pickle', trainingSnapshot({outOfMemory: true}));
  const overview = await handlers['memory/open']({snapshot, lines: []}, context);
  const {stamp} = overview;
  expect(overview).toMatchObject({device: 0, devices: [{device: 0, outOfMemory: 1, outOfMemoryMoments: [190]}]});
  const moment = await handlers['memory/moment']({snapshot, stamp, device: 0, moment: 190}, context);
  const bytes = moment.rows.reduce((sum, row) => sum + row.bytes, 0);
  expect(bytes).toBe(moment.at.allocatedBytes);
  expect(moment.blocks).toHaveLength(moment.blockCount);
  const window = {fromMoment: 190, toMoment: 190, columns: 1};
  const curve = await handlers['memory/curve']({snapshot, stamp, device: 0, by: 'category', window}, context);
  expect(curve.allocatedBytes[0]).toBe(bytes);
});

it('compares two moments, and the peaks of two snapshots, in rows that add up', async () => {
  const snapshot = file('small.pickle', trainingSnapshot());
  const other = file('large.pickle', trainingSnapshot({scale: 2}));
  const {stamp} = await handlers['memory/open']({snapshot, lines: []}, context);
  const change = await handlers['memory/difference']({snapshot, stamp, device: 0, moment: 226, base: 0}, context);
  expect(change.reduce((sum, row) => sum + row.deltaBytes, 0)).toBe(512 * MiB);
  const peaks = await handlers['memory/other']({snapshot, stamp, device: 0, other}, context);
  expect(peaks.reduce((sum, row) => sum + row.deltaBytes, 0)).toBe(6 * (24 + 48) * MiB);
});

it('reads a file anew once it has changed, and refuses one without memory', async () => {
  const snapshot = file('changing.pickle', trainingSnapshot({steps: 1}));
  const eventsOf = async () => (await handlers['memory/open']({snapshot, lines: []}, context)).devices[0]?.events;
  const before = await eventsOf();
  file('changing.pickle', trainingSnapshot({steps: 2}));
  utimesSync(snapshot, 1, 1);
  expect(await eventsOf()).toBeGreaterThan(before ?? Infinity);
  const empty = file('empty.pickle', snapshotData([], [[]]));
  await expect(handlers['memory/open']({snapshot: empty, lines: []}, context)).rejects.toMatchObject({
    code: 'import/no-events',
  });
});

it('answers no question of a view about another version of the file than the view shows', async () => {
  const name = 'rewritten.pickle';
  const snapshot = file(name, trainingSnapshot({steps: 1}));
  const {stamp} = await handlers['memory/open']({snapshot, lines: []}, context);
  const shown = {snapshot, stamp, device: 0};
  const moment = {...shown, moment: 5};
  const window = {fromMoment: 0, toMoment: 5, columns: 2};
  const questions = [
    () => handlers['memory/curve']({...shown, by: 'line', window}, context),
    () => handlers['memory/moment'](moment, context),
    () => handlers['memory/flame'](moment, context),
    () => handlers['memory/segments'](shown, context),
    () => handlers['memory/kept'](shown, context),
    () => handlers['memory/difference']({...moment, base: 0}, context),
    () => handlers['memory/other']({...shown, other: snapshot}, context),
    () => handlers['memory/time']({snapshot, stamp, profile: 1, place: {device: 0, moment: 5}}, context),
    () => handlers['memory/lines']({snapshot, stamp}, context),
  ];
  for (const question of questions) await question();
  file(name, trainingSnapshot({steps: 2}));
  utimesSync(snapshot, 1, 1);
  const message = 'rewritten.pickle has changed since it was opened. Open it again.';
  for (const question of questions) await expect(question).rejects.toMatchObject({code: 'file/changed', message});
  // Another view may have opened the new version meanwhile.
  const now = await handlers['memory/open']({snapshot, lines: []}, context);
  await expect(handlers['memory/moment'](moment, context)).rejects.toThrow(message);
  expect(await handlers['memory/moment']({...moment, stamp: now.stamp}, context)).toHaveProperty('rows');
  expect(
    await handlers['memory/at']({snapshot, profile: 1, atNs: 1_000_000 + 10 * 137_000, device: 0}, context),
  ).toEqual({device: 0, moment: 11, stamp: now.stamp});
});

it('finds a moment in a profile of the same run, and the moment of a time there', async () => {
  const snapshot = file('linked.pickle', trainingSnapshot());
  const {stamp} = await handlers['memory/open']({snapshot, lines: []}, context);
  // An event every 137 µs: that of moment 11 is 1 ms and ten of those behind the profile's first.
  const asked = {snapshot, stamp, profile: 1, place: {device: 0, moment: 11}};
  expect(await handlers['memory/time'](asked, context)).toBe(1_000_000 + 10 * 137_000);
  const at = (atNs: number, device = 0) => handlers['memory/at']({snapshot, profile: 1, atNs, device}, context);
  expect(await at(1_000_000 + 10 * 137_000)).toEqual({device: 0, moment: 11, stamp});
  expect(await at(1_000_000 + 11 * 137_000 - 1000)).toEqual({device: 0, moment: 11, stamp});
  // Before the history, and of memory that it does not have; and a moment after the profile's end.
  expect([await at(0), await at(2_000_000, -1)]).toEqual([null, null]);
  expect(await handlers['memory/time']({...asked, place: {device: 0, moment: 200}}, context)).toBeNull();
});
