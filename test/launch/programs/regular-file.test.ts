import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {isRegularFile} from '../../../src/launch/programs/regular-file.js';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();

it('isRegularFile(path) is true for a file, false for a folder, nothing, or a path through a file', async () => {
  const file = join(folder, 'run.json');
  writeFileSync(file, '');
  mkdirSync(join(folder, 'runs'));
  expect(await isRegularFile(file)).toBe(true);
  expect(await isRegularFile(join(folder, 'runs'))).toBe(false);
  expect(await isRegularFile(join(folder, 'none'))).toBe(false);
  expect(await isRegularFile(join(file, 'inside'))).toBe(false);
});

it.skipIf(process.platform === 'win32')('isRegularFile(path) is true for a link to a file', async () => {
  const file = join(folder, 'linked.json');
  writeFileSync(file, '');
  symlinkSync(file, join(folder, 'link'));
  expect(await isRegularFile(join(folder, 'link'))).toBe(true);
});
