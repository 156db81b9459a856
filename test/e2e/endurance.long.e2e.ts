import {join} from 'node:path';
import type {Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {seededRandom} from '../support/random.js';
import {twoRangeSteps} from '../support/two-range-steps.js';
import {closePage} from './support/browser-window.js';
import {previewOf} from './support/markdown-preview.js';
import {Workbench} from './support/workbench.js';

/** How long the work goes on. A shorter run needs at least some rounds of each third. */
const minutes = Number(process.env['GPU_LENS_ENDURANCE_MINUTES'] ?? '60');
const leastRounds = 6;
const kills = 10;

const profiles = ['before.pt.trace.json', 'after.pt.trace.json'] as const;
const single = 'single.pt.trace.json';

describe('VS Code that is used for long', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    const events = [kineto.range('train_step', 0, 100), kineto.call(9, 20, 5), kineto.kernel(9, 30, 40)];
    workbench = await Workbench.start({
      copyOf: join(root, 'media', 'sample'),
      files: {
        [profiles[0]]: twoRangeSteps(100),
        [profiles[1]]: twoRangeSteps(120),
        [single]: kinetoText(events),
      },
    });
  });

  let second: Page | undefined;
  afterAll(async () => {
    if (second) await closePage(second);
  });

  const inStatusBar = (page: Page, name: string) =>
    page.locator('.statusbar-item', {hasText: name}).waitFor({timeout: 60_000});

  it('answers after each of ten kills of its engine with the profile that was open, and tells each in one sentence', async () => {
    const {page} = workbench;
    await workbench.openFile(single);
    await inStatusBar(page, single);
    await workbench.command('GPU Lens: Show Tables');
    const tables = await workbench.webview('GPU Tables');
    const shows = async (tab: string, row: string) => {
      await tables.getByRole('tab', {name: tab, exact: true}).click();
      await tables.locator('.row', {hasText: row}).first().waitFor();
    };
    const random = seededRandom(34);
    for (let kill = 0; kill < kills; kill++) {
      await shows('Ranges', 'train_step');
      const pid = await workbench.enginePid();
      // In the middle of a question, before it, or after its answer.
      const asked = tables.getByRole('tab', {name: 'Kernels', exact: true}).click();
      await new Promise(resolve => setTimeout(resolve, 100 * random()));
      process.kill(pid, 'SIGKILL');
      await asked;
      const told = workbench.notification(/The engine was killed/);
      await told.first().waitFor();
      expect(await told.count()).toBe(1);
      await workbench.command('Notifications: Clear All Notifications');
      await shows('Ranges', 'train_step');
      await shows('Kernels', 'gemm');
      await inStatusBar(page, single);
      expect(await workbench.enginePid()).not.toBe(pid);
    }
  }, 300_000);

  /** The extension host of the one window that is open, once that of the window before it is gone. */
  const onlyHost = async () => {
    const hosts = () => workbench.hostProcesses().filter(({command}) => command.includes('--type=extensionHost'));
    await expect.poll(() => hosts().length).toBe(1);
    const [host] = hosts();
    if (!host) throw new Error('The window has no extension host.');
    return host;
  };

  /** What a person does in one window, while the second is loaded again. */
  const round = async (second: Page) => {
    for (const name of profiles) {
      await workbench.openFile(name);
      await inStatusBar(workbench.page, name);
    }
    await workbench.command('GPU Lens: Compare Active Profile with…', profiles[0]);
    const comparison = await workbench.webview('GPU Comparison');
    await expect.poll(() => comparison.locator('body').textContent()).toContain('Comparable.');
    await workbench.command('GPU Lens: Show Findings');
    await previewOf(workbench.page, `Findings in ${profiles[1]}`);
    await workbench.openFile('model.py');
    await workbench.goToLine(1);
    await workbench.page.keyboard.type('# ');
    await workbench.command('File: Revert File');
    await second.reload();
    await inStatusBar(second, 'train.pt.trace.json.gz');
    await workbench.command('View: Close All Editors');
    await workbench.command('GPU Lens: Close Profile');
  };

  it('holds the same memory after each round, and logs no error', {timeout: (minutes + 10) * 60_000}, async () => {
    const errorsBefore = workbench.loggedErrors().length;
    await workbench.reload();
    // The first window's: the second's are those that come with it.
    const host = await onlyHost();
    second = await workbench.secondWindow();
    await inStatusBar(second, 'train.pt.trace.json.gz');
    const startMs = Date.now();
    const residentMb: number[] = [];
    const endMs = startMs + minutes * 60_000;
    while (Date.now() < endMs || residentMb.length < leastRounds) {
      await round(second);
      const held = workbench.hostProcesses().filter(({pid, parent}) => pid === host.pid || parent === host.pid);
      residentMb.push(Math.round(held.reduce((sum, {residentBytes}) => sum + residentBytes, 0) / 1e6));
    }
    process.stdout.write(`Extension host and engine after each round, MB: ${residentMb.join(', ')}\n`);
    const third = Math.floor(residentMb.length / 3);
    // The first third is left out, for V8 grows its heap in steps for a while. Of the others the least counts: the rest
    // is garbage that has not been collected yet.
    const middle = Math.min(...residentMb.slice(third, 2 * third));
    const last = Math.min(...residentMb.slice(2 * third));
    expect(last).toBeLessThan(1.1 * middle + 10);
    expect(workbench.loggedErrors().slice(errorsBefore)).toEqual([]);
  });
});
