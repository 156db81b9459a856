import {expect, it} from 'vitest';
import {isWorthProfiling, shellLineDefinition} from '../../../src/launch/command/shell-line.js';

it.each([
  ['python train.py', true],
  ['CUDA_VISIBLE_DEVICES=0 A=b python3 -m pkg', true],
  ['bash run.sh', true],
  ['./run.sh --fast', true],
  ['/opt/bin/bench 3', true],
  ['../bench', true],
  ['torchrun --nproc_per_node 2 train.py', true],
  ['.venv/bin/python t.py', true],
  ['~/venv/bin/python t.py', true],
  ['venv/bin/torchrun t.py', true],
  ['${workspaceFolder}/.venv/bin/python t.py', true],
  ['build/bench', true],
  ['time python3.12 t.py', true],
  ['nohup python t.py &', true],
  ['env A=b python t.py', true],
  ['A=b nice -n 5 ./bench', true],
  ['numactl -N 0 build/bench', true],
  ['cd src && python t.py', true],
  ['source .venv/bin/activate && python t.py', true],
  ['python -c "import a; a.run()"', true],
  ['pytest -k gpu', true],
  ['shutdown now', false],
  ['shasum x', false],
  ['makepkg', false],
  ['env', false],
  ['time ls', false],
  ['cd src && ls', false],
  ['source .venv/bin/activate', false],
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
  ['time python a.py', '/bin/bash', ['/bin/bash', '-c', 'time python a.py']],
  ['nohup build/bench 3', '/bin/bash', ['nohup', 'build/bench', '3']],
  ['cd src && python a.py', '/bin/bash', ['/bin/bash', '-c', 'cd src && python a.py']],
  [
    String.raw`python D:\x\a.py "\\nas\my data" 'b c'`,
    'C:\\pwsh.exe',
    ['python', 'D:\\x\\a.py', '\\\\nas\\my data', 'b c'],
  ],
  ['python a.py; python b.py', 'C:\\pwsh.exe', ['C:\\pwsh.exe', '-Command', 'python a.py; python b.py']],
])('shellLineDefinition(%j, %j) runs %j', (text, shell, expected) => {
  const {command, args = []} = shellLineDefinition(text, shell);
  expect([command, ...args]).toEqual(expected);
});
