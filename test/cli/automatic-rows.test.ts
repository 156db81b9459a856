import {spawnSync} from 'node:child_process';
import {readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const cli = join(project, 'dist', 'cli.cjs');
const python = process.env['GPU_LENS_PYTHON'] ?? 'python3';

interface Row {
  readonly name: string;
  readonly kind: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly cpuWallNs: number;
  readonly cpuSelfNs: number;
  readonly gpuSelfNs: number;
  readonly backwardGpuSelfNs: number;
}

const script = `import torch

net = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for step in range(10):
    loss = net(torch.randn(4, 8)).pow(2).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
`;

it('gpu-lens ranges has the lines and modules of a script without tags, with their places and kinds', () => {
  const source = join(folder, 'train.py');
  writeFileSync(source, script);
  const run = (...args: string[]) => spawnSync(process.execPath, [cli, ...args], {encoding: 'utf8', cwd: folder});
  const out = run('profile', '--paths', '--automatic', 'on', '--python', python, '--', source);
  const trace = out.stdout.trim();
  expect(trace, `${out.stderr} ${readdirSync(folder).join(' ')}`).toMatch(/\.json(\.gz)?$/);
  const rows = JSON.parse(run('ranges', trace, '--all-figures', '--format', 'json').stdout) as Row[];
  const placesOf = (wanted: string) =>
    rows.filter(({kind}) => kind === wanted).map(({name, file, line}) => [name, file, line]);
  expect(placesOf('line').sort()).toEqual([5, 6, 7, 8, 9].map(line => [`train.py:${String(line)}`, 'train.py', line]));
  expect(placesOf('module')).toEqual([['nn.Module: Linear', null, null]]);
  expect(rows.filter(({kind}) => kind === null).map(({name}) => name)).toEqual([
    '(outside any range)',
    '(no launch call)',
    '(backward, unmatched)',
  ]);
  // Steps hold all else, so that the self times of all rows are the steps' own time.
  const sum = (list: readonly Row[], key: 'cpuWallNs' | 'cpuSelfNs') => list.reduce((all, row) => all + row[key], 0);
  const steps = rows.filter(({name}) => name.startsWith('ProfilerStep#'));
  expect(steps).toHaveLength(3);
  expect(sum(rows, 'cpuSelfNs')).toBe(sum(steps, 'cpuWallNs'));
  const [module] = JSON.parse(run('stats', trace, '-r', 'modules_sum', '--format', 'json').stdout) as object[];
  expect(module).toMatchObject({Module: 'Linear', Class: 'torch.nn.modules.linear.Linear', Modules: 1, Calls: 3});
  const tagged = JSON.parse(run('ranges', trace, '--kinds', 'record_function', '--format', 'json').stdout) as Row[];
  expect(tagged.some(({name}) => name === 'train.py:5' || name.startsWith('nn.Module'))).toBe(false);
});
