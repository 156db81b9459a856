import {rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {fileStamp} from '../../../src/importers/files/file-identity.js';
import {temporaryFolder} from '../../support/project.js';

it('fileStamp(path, known) is that of the known facts, and asks for none', async () => {
  const path = join(temporaryFolder(), 'profile.json');
  writeFileSync(path, '{}');
  const [known, stamp] = [statSync(path, {bigint: true}), await fileStamp(path)];
  rmSync(path);
  expect(await fileStamp(path, known)).toBe(stamp);
  await expect(fileStamp(path)).rejects.toMatchObject({code: 'file/missing'});
});
