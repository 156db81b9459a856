import {spawnSync} from 'node:child_process';
import {expect, it} from 'vitest';
import {isRunning} from '../../../src/launch/programs/is-running.js';

it('isRunning(pid) knows a process of any user, and takes a group of processes for none', () => {
  expect(isRunning(process.pid)).toBe(true);
  // The system's first process, which an ordinary user may not signal.
  if (process.platform !== 'win32') expect(isRunning(1)).toBe(true);
  expect(isRunning(spawnSync(process.execPath, ['-e', '']).pid)).toBe(false);
  for (const group of [0, -1, NaN]) expect(isRunning(group)).toBe(false);
});
