import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {expect, it} from 'vitest';
import {isSnapshotFile} from '../../../src/host/memory/is-snapshot-file.js';
import {event, snapshotData} from '../../support/memory-snapshots.js';
import {pickleOf} from '../../support/pickle-writer.js';
import {temporaryFolder} from '../../support/project.js';
import {trainingSnapshot} from '../../support/training-snapshot.js';

const folder = temporaryFolder();
const snapshot = pickleOf(trainingSnapshot());
// Packs to a hundredth: the beginning of the file unpacks to megabytes.
const repeated = pickleOf(snapshotData([], [Array.from({length: 50_000}, () => event('alloc', 1, 1))]));

it.each([
  ['a.pickle', snapshot, true],
  ['a.pkl', snapshot, true],
  ['a.pickle.gz', gzipSync(snapshot), true],
  ['repeated.pkl.gz', gzipSync(repeated), true],
  ['a.bin', snapshot, false],
  ['weights.pickle', pickleOf({weights: [1, 2, 3]}), false],
  ['weights.pickle.gz', gzipSync(pickleOf({weights: [1, 2, 3]})), false],
  ['damaged.pickle.gz', Buffer.concat([gzipSync(snapshot).subarray(0, 20), Buffer.alloc(50, 255)]), false],
  ['empty.pickle', Buffer.alloc(0), false],
  ['text.pickle', Buffer.from('segments and device_traces'), false],
])('isSnapshotFile: %s', async (name, content, expected) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  expect(await isSnapshotFile(path)).toBe(expected);
});

it('isSnapshotFile is false of what cannot be read', async () => {
  const path = join(folder, 'folder.pickle');
  mkdirSync(path);
  expect(await isSnapshotFile(path)).toBe(false);
  expect(await isSnapshotFile(join(folder, 'missing.pickle'))).toBe(false);
});
