import {expect, it} from 'vitest';
import {commandName} from '../../../src/launch/python/command-name.js';

it.each([
  ['/venv/bin/python -W ignore train.py -m x', 'train.py'],
  ['python3.11 -m pkg.train --lr 1', 'pkg.train'],
  ['python -c pass', 'python'],
  ['python', 'python'],
  ['bash dir/run.sh', 'run.sh'],
  ['sh run', 'run'],
  ['bash', 'bash'],
  ['torchrun --nproc-per-node 2 dir/train.py', 'train.py'],
  ['torchrun --nproc-per-node 2 -m pkg.train', 'pkg.train'],
  ['srun -n 2 python -m pkg.train', 'pkg.train'],
  ['srun -n 2 -m block python a.py', 'a.py'],
  ['./build/bench -m x.py', 'bench'],
  ['C:\\\\tools\\\\python.exe -m', 'python.exe'],
  ['', ''],
])('commandName of %j is %j', (command, name) => {
  expect(commandName(command.split(' '))).toBe(name);
});
