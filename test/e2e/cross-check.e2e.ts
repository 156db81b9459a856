import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, inject, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {findNsys} from '../../src/launch/find-nsys.js';
import {writeNsysDatabase} from '../support/nsys-database.js';
import {writeReplayingNsys} from '../support/replaying-nsys.js';
import {Workbench} from './support/workbench.js';

const standIn = join(root, 'test', 'e2e', 'fixtures', 'python-extension-stand-in');
const home = mkdtempSync(join(tmpdir(), 'gpu-lens-cross-check-'));
afterAll(() => {
  rmSync(home, {recursive: true, force: true});
});

const training = `import time, torch

net = torch.nn.Linear(64, 64)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(12):
    time.sleep(0.01)
    net(torch.randn(32, 64)).sum().backward()
    optimizer.step()
print("the end")
`;
writeFileSync(join(home, 'train.py'), training);

interface Row {
  readonly watcher: string;
  readonly stepNs: readonly number[];
  readonly meanNs: number;
  readonly gpuWorkNs: number | null;
  readonly overheadPercent: number | null;
  readonly profile: string | null;
  readonly reason: string | null;
}

function crossCheck(nsys: string) {
  const args = ['cross-check', '--active', '4', '--format', 'json', '--python', inject('python'), '--', 'train.py'];
  const {status, stdout, stderr} = spawnSync(process.execPath, [join(root, 'dist', 'cli.cjs'), ...args], {
    cwd: home,
    encoding: 'utf8',
    env: {...process.env, GPU_LENS_NSYS: nsys},
  });
  expect(status, stderr).toBe(0);
  // Each run ends with its measured steps.
  expect(stderr).not.toContain('the end');
  return JSON.parse(stdout) as Row[];
}

function expectMeasured(rows: readonly Row[]): void {
  expect(rows.map(({watcher}) => watcher)).toEqual(['timer', 'pytorch', 'nsys']);
  for (const {stepNs, meanNs, reason, overheadPercent, watcher} of rows) {
    expect(stepNs).toHaveLength(4);
    for (const ns of stepNs) expect(ns).toBeGreaterThanOrEqual(10e6);
    expect(meanNs).toBeCloseTo(stepNs.reduce((sum, ns) => sum + ns, 0) / 4, 3);
    expect(reason).toBeNull();
    const plain = rows[0]?.meanNs ?? NaN;
    if (watcher === 'timer') expect(overheadPercent).toBeNull();
    else expect(overheadPercent).toBeCloseTo(100 * (meanNs / plain - 1), 6);
  }
}

it('gpu-lens cross-check measures the same steps three times, with a real torch', () => {
  // The stand-in runs its target, where the runner times the steps, and leaves a recorded run with GPU work.
  const recorded = writeNsysDatabase(join(home, 'recorded.sqlite'));
  const rows = crossCheck(writeReplayingNsys(join(home, 'nsys'), recorded));
  expectMeasured(rows);
  // Kernels of 1,000 and 200 ns, a copy of 400, a graph of 2,000: a quarter of that for each step.
  expect(rows.map(({gpuWorkNs}) => gpuWorkNs)).toEqual([null, null, 900]);
});

it('gpu-lens cross-check measures the same steps three times, with a real torch and a real nsys', async context => {
  const nsys = await findNsys({setting: null});
  if (nsys === null) {
    console.warn('skipped: no nsys is installed');
    context.skip();
    return;
  }
  const rows = crossCheck(nsys);
  expectMeasured(rows);
  expect(rows[2]?.profile).toMatch(/train\.py\.sqlite$/);
});

it('shows a cross-check as a table in the editor', async () => {
  const recorded = writeNsysDatabase(join(home, 'shown.sqlite'));
  const workbench = await Workbench.start({
    files: {'train.py': training},
    extensions: [standIn],
    settings: {
      'standIn.interpreter': inject('python'),
      'gpuLens.nsys': writeReplayingNsys(join(home, 'shown nsys'), recorded),
    },
  });
  await workbench.openFile('train.py');
  await workbench.command('GPU Lens: Cross-check a step');
  await workbench.pickRun('the file in the editor');
  await workbench.page.locator('.tab', {hasText: 'Preview cross-check.md'}).waitFor({timeout: 120_000});
  await workbench.screenshot('cross-check');
});
