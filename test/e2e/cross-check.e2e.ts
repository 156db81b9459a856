import {spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Frame} from 'playwright-core';
import {afterAll, expect, inject, it, vi} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {formatDuration} from '../../src/core/format/duration.js';
import {findNsys} from '../../src/launch/programs/find-nsys.js';
import {isLongSuite} from '../support/long-tests.js';
import {writeNsysDatabase} from '../support/nsys-database.js';
import {writeReplayingNsys} from '../support/replaying-nsys.js';
import {skipTest} from '../support/skip-test.js';
import {themeNames, themes} from './support/themes.js';
import {Workbench} from './support/workbench.js';
import {patience} from '../support/patience.js';

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
  readonly stdNs: number;
  readonly medianNs: number;
  readonly gpuWorkNs: number | null;
  readonly overheadPercent: number | null;
  readonly noisePercent: number | null;
  readonly isMeasurable: boolean | null;
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
  for (const {stepNs, meanNs, medianNs, reason, overheadPercent, watcher} of rows) {
    expect(stepNs).toHaveLength(4);
    for (const ns of stepNs) expect(ns).toBeGreaterThanOrEqual(10e6);
    expect(meanNs).toBe(Math.round(stepNs.reduce((sum, ns) => sum + ns, 0) / 4));
    expect(reason).toBeNull();
    const plain = rows[0]?.medianNs ?? NaN;
    if (watcher === 'timer') expect(overheadPercent).toBeNull();
    else expect(overheadPercent).toBeCloseTo(100 * (medianNs / plain - 1), 4);
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
    skipTest(context, 'no nsys is installed');
    return;
  }
  const rows = crossCheck(nsys);
  expectMeasured(rows);
  expect(rows[2]?.profile).toMatch(/train\.py\.sqlite$/);
});

it('shows a cross-check as a table in the editor, whatever the theme, with the figures that the command line keeps', async () => {
  const recorded = writeNsysDatabase(join(home, 'shown.sqlite'));
  const workbench = await Workbench.start({
    files: {'train.py': training},
    settings: {
      'gpuLens.python': inject('python'),
      'gpuLens.nsys': writeReplayingNsys(join(home, 'shown nsys'), recorded),
      'gpuLens.run.activeSteps': 4,
    },
  });
  await workbench.openScript('train.py');
  await workbench.command('GPU Lens: Measure a Step Three Ways', 'the file in the editor');
  // Three recordings come before the page.
  await drawnPreview(workbench, 500_000);
  const cells = async () => {
    const frame = await drawnPreview(workbench);
    const rows = await frame
      .locator('table tr')
      .evaluateAll(rows => rows.map(row => [...row.querySelectorAll('th, td')].map(cell => cell.textContent)))
      // The page may be drawn anew meanwhile.
      .catch(() => []);
    return rows.length > 0 && rows;
  };
  const drawn = await vi.waitUntil(cells, patience);
  const folder = join(workbench.workspace, '.gpu-lens', 'cross-checks');
  const [kept = ''] = readdirSync(folder);
  const rows = JSON.parse(readFileSync(join(folder, kept, 'cross-check.json'), 'utf8')) as Row[];
  expectMeasured(rows);
  const names = ['plain timer', 'PyTorch profiler', 'Nsight Systems'];
  expect(drawn).toEqual([
    // There is no CUDA here, and nothing to note: such columns are left out.
    ['Measured by', 'Steps', 'Step', 'Median', 'Fastest', 'GPU work', 'Overhead'],
    ...rows.map((row, at) => [
      ...[names[at], '4', `${formatDuration(row.meanNs)} ± ${formatDuration(row.stdNs)}`],
      formatDuration(row.medianNs),
      ...[formatDuration(Math.min(...row.stepNs)), row.gpuWorkNs === null ? '–' : formatDuration(row.gpuWorkNs)],
      overheadText(row),
    ]),
  ]);
  // Of the three only the stand-in's recorded run has GPU work: a quarter of 3,600 ns.
  expect(drawn.map(cells => cells[5])).toEqual(['GPU work', '–', '–', '900 ns']);
  for (const theme of isLongSuite ? themeNames : themeNames.slice(0, 1)) {
    await workbench.chooseTheme(theme);
    // Whatever the theme, words are no links, and links lead to what was recorded.
    const links = async () => {
      const body = (await drawnPreview(workbench)).locator(`body.${themes[theme].webview}`);
      return body.locator('li a').allTextContents().catch(String);
    };
    await expect.poll(links).toEqual(['train.pt.trace.json.gz', 'train.py.sqlite']);
    await workbench.screenshot(`cross-check-${theme.toLowerCase().replaceAll(' ', '-')}`);
  }
});

/** The preview of the page, once its table is drawn. */
async function drawnPreview(workbench: Workbench, timeoutMs: number = patience.timeout): Promise<Frame> {
  const find = async () => {
    for (const frame of workbench.page.frames()) {
      const count = await frame
        .locator('td', {hasText: 'plain timer'})
        .count()
        .catch(() => 0);
      if (count > 0) return frame;
    }
    return null;
  };
  return vi.waitUntil(find, {timeout: timeoutMs, interval: 200});
}

/** `+12 % (±3)`, by hand: the noise is what the row says. */
function overheadText({overheadPercent, noisePercent, isMeasurable}: Row): string {
  if (overheadPercent === null || noisePercent === null) return '–';
  if (!isMeasurable) return `not measurable (±${noisePercent.toFixed(noisePercent >= 9.95 ? 0 : 1)} %)`;
  const digits = Math.max(Math.abs(overheadPercent), noisePercent) >= 9.95 ? 0 : 1;
  const sign = overheadPercent > 0 ? '+' : '';
  const text = overheadPercent.toFixed(digits).replace('-', '−');
  return `${sign}${text} % (±${noisePercent.toFixed(digits)})`;
}
