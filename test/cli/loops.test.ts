import {spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {expectSchema} from '../support/json-schema.js';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const cli = join(project, 'dist', 'cli.cjs');
const python = process.env['GPU_LENS_PYTHON'] ?? 'python3';

const script = `import sys, torch

net = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
with torch.no_grad():
    for batch in range(4):
        net(torch.randn(4, 8))
for step in range(6):
    net(torch.randn(4, 8)).sum().backward()
    optimizer.step()
print("done")
sys.exit(3)
`;

function run(...args: string[]) {
  return spawnSync(process.execPath, [cli, ...args], {encoding: 'utf8', cwd: folder});
}

it('profile --list has the loops on standard output, all else on standard error, and the status of the command', () => {
  writeFileSync(join(folder, 'train.py'), script);
  const out = run('profile', '--list', '--format', 'json', '--python', python, '--', 'train.py');
  expectSchema('profile', out.stdout);
  expect(JSON.parse(out.stdout), out.stderr).toEqual([
    {steps: 6, kind: 'train', of: 'Linear', file: 'train.py', line: 8, step: 'train.py:8'},
    {steps: 4, kind: 'infer', of: 'Linear', file: 'train.py', line: 6, step: 'train.py:6'},
  ]);
  expect(out.status).toBe(3);
  expect(out.stderr).toContain('done\n');
  expect(out.stderr).toContain('To record one of these loops, name its place: gpu-lens profile --step train.py:8');
});

it('profile --list says why a command has no loop', () => {
  const out = run('profile', '--list', '--exit-code', 'own', '--python', python, '--', python, '-c', 'print(1)');
  expect([out.status, out.stdout]).toEqual([1, 'Steps  Kind  Model  File  Line  --step\n']);
  expect(out.stderr).toContain('no loop was seen: it did not import torch');
});

it.each(['stop', 'idle', 'lines', 'costs', 'paths', 'runs=3'])(
  'profile --list refuses --%s, which has no effect with it',
  given => {
    const option = given.replace(/=.*/, '');
    const {status, stderr} = run('profile', '--list', `--${given}`, '--', 'train.py');
    expect([status, stderr]).toEqual([
      2,
      `gpu-lens: --list records nothing: leave out --${option}. See gpu-lens profile --help.\n`,
    ]);
  },
);
