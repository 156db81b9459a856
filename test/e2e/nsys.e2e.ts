import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, inject, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {formatDuration} from '../../src/core/format/duration.js';
import {writeNsysDatabase} from '../support/nsys-database.js';
import {compileNvtxProgram} from '../support/nvtx-program.js';
import {writeReplayingNsys} from '../support/replaying-nsys.js';
import {skipTest} from '../support/skip-test.js';
import {openedProfile} from './support/opened-profile.js';
import {Workbench} from './support/workbench.js';

/** Selects the interpreter, as the Python extension does. VS Code reads its extensions when a server starts. */
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
    ownServer: {extensions: [standIn]},
    settings: {'standIn.interpreter': inject('python'), 'gpuLens.nsys': real.nsys},
  });
  await workbench.command('GPU Lens: Profile model step', 'time the program');
  await openedProfile(workbench.page, 'bench.sqlite').waitFor();
  await workbench.openFile('bench.cpp');
  await expect.poll(async () => (await workbench.codeLenses()).filter(lens => lens.startsWith('CPU ')).length).toBe(2);
  await workbench.screenshot('nsys-program');
  await workbench.command('GPU Lens: Profile model step', 'script under nsys');
  await openedProfile(workbench.page, 'train.py.sqlite').waitFor();
  await workbench.openFile('train.py');
  await expect.poll(() => workbench.codeLenses()).toContainEqual(expect.stringMatching(/^CPU .*×4/));
  await workbench.screenshot('nsys-script');
});

const replayed = `from torch.profiler import record_function

with record_function("step"):
    print("ran under the stand-in")
with record_function("never"):
    pass
`;

it('shows a recorded run on the lines of a script, replayed by a stand-in as where there is no nsys', async () => {
  const recorded = writeNsysDatabase(join(home, 'recorded.sqlite'));
  const workbench = await Workbench.start({
    files: {'train.py': replayed, '.vscode/tasks.json': JSON.stringify(tasks)},
    settings: {
      'gpuLens.python': inject('python'),
      'gpuLens.nsys': writeReplayingNsys(join(home, 'stand in'), recorded),
    },
  });
  await workbench.command('GPU Lens: Profile model step', 'script under nsys');
  await openedProfile(workbench.page, 'train.py.sqlite').waitFor();
  await workbench.openFile('train.py');
  const {stdout} = spawnSync(
    process.execPath,
    [join(root, 'dist', 'cli.cjs'), 'ranges', recorded, '--format', 'json'],
    {
      encoding: 'utf8',
    },
  );
  const rows = JSON.parse(stdout) as {name: string; gpuWorkNs: number; count: number}[];
  const step = rows.find(({name}) => name === 'step');
  expect(step?.count).toBe(2);
  // Ranges of this name are steps, and both processes are in the first.
  const perStep = formatDuration(step?.gpuWorkNs ?? NaN);
  await expect
    .poll(() => workbench.codeLenses())
    .toEqual(
      expect.arrayContaining([
        expect.stringMatching(`^GPU ${perStep}/step .*×2`),
        expect.stringContaining('not in this profile'),
      ]),
    );
  await workbench.screenshot('nsys-replayed');
});
