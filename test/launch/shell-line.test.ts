import {expect, it} from 'vitest';
import {isWorthProfiling, shellLineDefinition} from '../../src/launch/shell-line.js';

it.each([
  ['python train.py', true],
  ['CUDA_VISIBLE_DEVICES=0 A=b python3 -m pkg', true],
  ['bash run.sh', true],
  ['./run.sh --fast', true],
  ['/opt/bin/bench 3', true],
  ['../bench', true],
  ['torchrun --nproc_per_node 2 train.py', true],
  ['ls -l', false],
  ['git status', false],
  ['cd src', false],
  ['node dist/cli.cjs', false],
  ['python dist/gpu-lens', false],
  ['python - <<EOF\nprint(1)\nEOF', false],
])('isWorthProfiling(%j) is %j', (text, expected) => {
  expect(isWorthProfiling(text)).toBe(expected);
});

it.each([
  ['bash run.sh "two words"', '/bin/zsh', ['bash', 'run.sh', 'two words']],
  ['  python train.py --lr 3 ', '/bin/zsh', ['python', 'train.py', '--lr', '3']],
  ['python train.py | tee log', '/bin/zsh', ['/bin/zsh', '-c', 'python train.py | tee log']],
  ['python train.py --out $HOME', '/bin/bash', ['/bin/bash', '-c', 'python train.py --out $HOME']],
  ['N=3 python train.py', '/bin/bash', ['/bin/bash', '-c', 'N=3 python train.py']],
  ['python a.py; python b.py', 'C:\\pwsh.exe', ['C:\\pwsh.exe', '-Command', 'python a.py; python b.py']],
])('shellLineDefinition(%j, %j) runs %j', (text, shell, expected) => {
  const {command, args = []} = shellLineDefinition(text, shell);
  expect([command, ...args]).toEqual(expected);
});
