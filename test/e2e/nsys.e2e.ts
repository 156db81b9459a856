import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, inject, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {compileNvtxProgram} from '../support/nvtx-program.js';
import {skipTest} from '../support/skip-test.js';
import {Workbench} from './support/workbench.js';

const standIn = join(root, 'test', 'e2e', 'fixtures', 'python-extension-stand-in');
const home = mkdtempSync(join(tmpdir(), 'gpu-lens-nsys-'));
afterAll(() => {
  rmSync(home, {recursive: true, force: true});
});

const training = `import torch
from torch.profiler import record_function

net = torch.nn.Linear(64, 64)
for step in range(4):
    with record_function("forward"):
        net(torch.randn(32, 64)).sum()
`;

const tasks = {
  version: '2.0.0',
  tasks: [
    {label: 'time the program', type: 'gpu-lens', command: join(home, 'bench'), profiler: 'nsys'},
    {label: 'script under nsys', type: 'gpu-lens', script: 'train.py', profiler: 'nsys'},
  ],
};

it('shows what nsys recorded of a compiled program, and of a script, on their lines', async context => {
  const real = await compileNvtxProgram(home);
  if (typeof real === 'string') {
    skipTest(context, real);
    return;
  }
  const workbench = await Workbench.start({
    files: {
      'bench.cpp': readFileSync(join(home, 'bench.cpp')),
      'train.py': training,
      '.vscode/tasks.json': JSON.stringify(tasks),
    },
    extensions: [standIn],
    settings: {'standIn.interpreter': inject('python'), 'gpuLens.nsys': real.nsys},
  });
  await workbench.command('GPU Lens: Profile model step');
  await workbench.pickRun('time the program');
  await workbench.page.locator('.statusbar-item', {hasText: 'bench.sqlite'}).waitFor({timeout: 120_000});
  await workbench.openFile('bench.cpp');
  await expect
    .poll(async () => (await workbench.codeLenses()).filter(lens => lens.startsWith('CPU ')).length, {timeout: 30_000})
    .toBe(2);
  await workbench.screenshot('nsys-program');
  await workbench.command('GPU Lens: Profile model step');
  await workbench.pickRun('script under nsys');
  await workbench.page.locator('.statusbar-item', {hasText: 'train.py.sqlite'}).waitFor({timeout: 120_000});
  await workbench.openFile('train.py');
  await expect.poll(() => workbench.codeLenses(), {timeout: 30_000}).toContainEqual(expect.stringMatching(/^CPU .*×4/));
  await workbench.screenshot('nsys-script');
});
