import {afterEach, expect, it, vi} from 'vitest';
import {endRun} from '../../../src/launch/programs/process-tree.js';
import {runProgram} from '../../../src/launch/programs/run-program.js';

vi.mock('../../../src/launch/programs/run-program.js', () => ({
  runProgram: vi.fn(() => Promise.reject(new Error('not found'))),
}));
afterEach(() => {
  vi.unstubAllGlobals();
});

it('endRun(pid, mark) has Windows end the tree, and outlives that it cannot', async () => {
  vi.stubGlobal('process', {...process, platform: 'win32', kill: () => expect.unreachable()});
  await endRun(undefined, 'GPULENS_RUN=1');
  expect(runProgram).not.toHaveBeenCalled();
  await endRun(4711, 'GPULENS_RUN=1');
  expect(runProgram).toHaveBeenCalledExactlyOnceWith('taskkill', ['/T', '/F', '/PID', '4711']);
});
