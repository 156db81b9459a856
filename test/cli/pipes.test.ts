import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, openSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {cli, run} from '../support/command-line.js';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();

// Opening a pipe that nobody writes into would wait for ever.
it.skipIf(process.platform === 'win32')(
  'a named pipe is refused by every command that takes ranks, alone or in a folder',
  () => {
    const ranks = join(folder, 'ranks');
    mkdirSync(ranks);
    const pipe = join(ranks, 'rank0.json');
    execFileSync('mkfifo', [pipe]);
    const out = join(folder, 'out.parquet');
    for (const args of [
      ['job', pipe],
      ['job', ranks],
      ['summarize', pipe, '-o', out],
      ['info', pipe],
      ['compare', pipe, pipe],
      ['memory', pipe],
    ]) {
      const {status, stderr} = run(...args);
      expect(status, args.join(' ')).toBe(1);
      expect(stderr, args.join(' ')).toMatch(/^gpu-lens: .*(is not a regular file|No profile|no profile).*\.\n$/);
    }
  },
);

it.skipIf(!existsSync('/dev/full'))('a full disk behind standard output is told in one sentence', () => {
  const sample = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
  const full = openSync('/dev/full', 'w');
  const endless = 'WITH RECURSIVE a(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM a) SELECT x FROM a';
  for (const args of [
    ['info', sample],
    // It writes while it reads.
    ['query', sample, endless],
  ]) {
    const {status, stderr} = spawnSync(process.execPath, [cli, ...args], {stdio: ['ignore', full, 'pipe']});
    expect([status, String(stderr)], args[0]).toEqual([
      1,
      'gpu-lens: Standard output cannot be written: ENOSPC: no space left on device, write.\n',
    ]);
  }
});
