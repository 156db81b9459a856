import {expect, it} from 'vitest';
import {canLaunch, launchCommand} from '../../src/launch/launchers.js';
import {isPython} from '../../src/launch/python-interpreter.js';

const command = ['/venv/bin/python', 'train it.py', '--lr', '3'];

it('launchCommand(launcher, ranks, command) starts so many processes of one command', () => {
  expect(launchCommand('none', 4, command)).toEqual(command);
  expect(launchCommand('torchrun', 4, command)).toEqual([
    '/venv/bin/python',
    ...['-m', 'torch.distributed.run', '--standalone', '--nproc_per_node', '4'],
    ...['train it.py', '--lr', '3'],
  ]);
  expect(launchCommand('srun', 8, command)).toEqual(['srun', '--ntasks', '8', '--kill-on-bad-exit=1', ...command]);
});

it('canLaunch(launcher, command) wants an interpreter where the launcher is a module of it', () => {
  expect(canLaunch('torchrun', command)).toBe(true);
  expect(canLaunch('torchrun', ['bash', 'run.sh'])).toBe(false);
  expect(canLaunch('srun', ['./benchmark'])).toBe(true);
});

it.each([
  ['python', true],
  ['/usr/bin/python3.11', true],
  ['C:\\venv\\Scripts\\python.exe', true],
  ['pypy3', true],
  ['python-config', false],
  ['/usr/bin/pythonista/run', false],
  ['bash', false],
])('isPython(%j) is %j', (program, expected) => {
  expect(isPython(program)).toBe(expected);
});
