import {chmodSync, copyFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {mayStartPython} from '../../../src/launch/python/may-start-python.js';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();
copyFileSync('/bin/sleep', join(folder, 'bench'));
// As pip writes it.
writeFileSync(join(folder, 'torchrun'), '#!/usr/bin/env python3\n');
// Compiled ones, as they are where they are installed.
const starters = ['gdb', 'strace', 'perf', 'tini', 'screen', 'tmux'];
for (const name of starters) copyFileSync('/bin/sleep', join(folder, name));
for (const name of ['bench', 'torchrun', ...starters]) chmodSync(join(folder, name), 0o755);

it.each([
  [['python3.12', 'train.py'], true],
  [['bash', 'run.sh'], true],
  [['/usr/bin/env', 'python', 'train.py'], true],
  [['srun', 'python', 'train.py'], true],
  [['torchrun', 'train.py'], true],
  [['gdb', '--args', 'python', 'train.py'], true],
  [['strace', '-f', 'python', 'train.py'], true],
  [['perf', 'record', 'python', 'train.py'], true],
  [['tini', '--', 'python', 'train.py'], true],
  [['screen', '-D', '-m', 'python', 'train.py'], true],
  [['tmux', 'new', 'python', 'train.py'], true],
  [['./torchrun', 'train.py'], true],
  [['not-there', 'train.py'], true],
  [['bench', '3'], false],
  [['./bench'], false],
  [[join(folder, 'bench')], false],
])('mayStartPython(%j) is %j', async (command, expected) => {
  expect(await mayStartPython(command, folder, folder)).toBe(expected);
});
