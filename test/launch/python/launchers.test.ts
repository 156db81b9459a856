import {expect, it} from 'vitest';
import {canLaunch, firstNode, launchCommand} from '../../../src/launch/python/launchers.js';
import {isPython} from '../../../src/launch/python/python-interpreter.js';

const command = ['/venv/bin/python', 'train it.py', '--lr', '3'];

const allocation = {SLURM_JOB_ID: '1234567', SLURM_JOB_NODELIST: 'gpu-[003-004]'};

it('launchCommand(launcher, size, command, env) starts so many processes of one command', () => {
  expect(launchCommand('none', {ranks: 4, nodes: 1}, command, {})).toEqual(command);
  expect(launchCommand('torchrun', {ranks: 4, nodes: 1}, command, {})).toEqual([
    '/venv/bin/python',
    ...['-m', 'torch.distributed.run', '--standalone', '--nproc_per_node', '4'],
    ...['train it.py', '--lr', '3'],
  ]);
  expect(launchCommand('srun', {ranks: 8, nodes: 1}, command, {})).toEqual([
    ...['srun', '--ntasks', '8', '--kill-on-bad-exit=1', '--export=ALL'],
    ...command,
  ]);
});

it('launchCommand(launcher, size, command, env) starts them on several nodes of an allocation', () => {
  expect(launchCommand('srun', {ranks: 8, nodes: 2}, command, allocation)).toEqual([
    ...['srun', '--nodes', '2', '--ntasks', '8', '--kill-on-bad-exit=1', '--export=ALL'],
    ...command,
  ]);
  expect(launchCommand('torchrun', {ranks: 4, nodes: 2}, command, allocation)).toEqual([
    ...['srun', '--nodes', '2', '--ntasks', '2', '--ntasks-per-node=1', '--kill-on-bad-exit=1', '--export=ALL'],
    ...['/venv/bin/python', '-m', 'torch.distributed.run', '--nnodes', '2', '--rdzv_backend', 'c10d'],
    ...['--rdzv_id', '1234567', '--rdzv_endpoint', 'gpu-003:24567', '--nproc_per_node', '4'],
    ...['train it.py', '--lr', '3'],
  ]);
  expect(() => launchCommand('torchrun', {ranks: 4, nodes: 2}, command, {})).toThrow(/begin with salloc or sbatch/);
});

it.each([
  ['', null],
  ['node7', 'node7'],
  ['a1,a2', 'a1'],
  ['gpu-[003-007,012],login1', 'gpu-003'],
  ['rack[1,3]-ib,x', 'rack1-ib'],
  ['[]', null],
  ['a b', null],
])('firstNode(%j) is %j', (list, node) => {
  expect(firstNode(list)).toBe(node);
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
