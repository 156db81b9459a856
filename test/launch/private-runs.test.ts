import {statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {createRunFolder} from '../../src/launch/run/run-folder.js';
import {temporaryFolder} from '../support/project.js';

it.skipIf(process.platform === 'win32').each(['runs', 'benchmarks', 'cross-checks'] as const)(
  'createRunFolder(%s) makes a folder that nobody else can open, whatever the umask',
  async group => {
    const before = process.umask(0);
    try {
      const {path, eventsFile} = await createRunFolder(join(temporaryFolder(), 'out'), 'train.py', new Date(0), group);
      expect(statSync(path).mode & 0o777).toBe(0o700);
      if (group === 'runs') expect(statSync(`${eventsFile}.reserve`).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(before);
    }
  },
);
