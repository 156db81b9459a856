import {existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {expect, it} from 'vitest';
import {partialPath, removeAbandonedPartials} from '../../../src/importers/files/partial-files.js';
import {partialOfEndedProcess} from '../../support/ended-process.js';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();

it('removeAbandonedPartials(folder) removes files of processes that have ended, and what is a day old', async () => {
  const ofOther = (name: string) => partialPath(join(folder, name)).replace(/\.[0-9a-f]{8}-/, '.00000000-');
  const gone = [partialOfEndedProcess(join(folder, 'a.csv')), ofOther('old.csv')];
  const kept = [
    partialPath(join(folder, 'b.csv')),
    ofOther('new.csv'),
    join(folder, 'c.csv.partial'),
    join(folder, 'd'),
  ];
  for (const path of [...gone, ...kept]) writeFileSync(path, 'half');
  utimesSync(gone[1] ?? '', 10, 10);
  utimesSync(kept[2] ?? '', 10, 10);
  await removeAbandonedPartials(folder);
  expect(gone.map(path => existsSync(path))).toEqual([false, false]);
  expect(kept.map(path => existsSync(path))).toEqual([true, true, true, true]);
});

it('removeAbandonedPartials(folder) leaves folders and links alone', async () => {
  const [target, link, inner] = [
    join(folder, 'target'),
    partialOfEndedProcess(join(folder, 'link.csv')),
    partialOfEndedProcess(join(folder, 'folder.csv')),
  ];
  writeFileSync(target, 'whole');
  symlinkSync(basename(target), link);
  mkdirSync(inner);
  await removeAbandonedPartials(folder);
  expect([target, link, inner].map(path => existsSync(path))).toEqual([true, true, true]);
});

it('removeAbandonedPartials(folder) does nothing where there is no folder', async () => {
  await expect(removeAbandonedPartials(join(folder, 'none'))).resolves.toBeUndefined();
});
