import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Frame} from 'playwright-core';
import {describe, expect, it} from 'vitest';
import {formatDuration} from '../../src/core/format/duration.js';
import {json} from '../support/command-line.js';
import {dataFolder, hasData} from '../support/real-data.js';
import {openedProfile} from './support/opened-profile.js';
import {Workbench} from './support/workbench.js';

const twoProcesses = join(dataFolder, 'nsys', 'train-2xh100-2proc.sqlite');
const rankFile = (rank: number) => join(dataFolder, 'kineto', `ddp-rank-${String(rank)}-of-128.json.gz`);

/** All GPU work of a selection, as the command line tells it, in words. */
function workOf(...selection: string[]): string {
  const rows = json('stats', ...selection, '-r', 'cuda_gpu_sum') as Record<string, number>[];
  return formatDuration(rows.reduce((sum, row) => sum + (row['Total Time (ns)'] ?? NaN), 0));
}

const crumbs = (flame: Frame) => flame.getByRole('navigation').textContent();
const total = (flame: Frame) => flame.getByText(/^100 % = /).textContent();

async function choose(view: Frame, list: string, choice: string | RegExp): Promise<void> {
  await view.getByRole('combobox', {name: list}).click();
  await view.getByRole('option', {name: choice}).click();
}

describe.skipIf(!hasData)('ranks of a job', () => {
  it('are processes of one file, which the flame graph and the tables can be narrowed to', async () => {
    const workbench = await Workbench.start({
      files: {'job.sqlite': readFileSync(twoProcesses)},
      settings: {'gpuLens.profile': 'job.sqlite'},
    });
    await openedProfile(workbench.page, 'job.sqlite').waitFor();
    await workbench.command('GPU Lens: Show Flame Graph');
    const flame = await workbench.webview('GPU Flame Graph');
    await expect.poll(() => total(flame)).toBe(`100 % = ${workOf(twoProcesses)}`);
    await choose(flame, 'Process', /\(112\) · GPU 1$/);
    await expect.poll(() => total(flame)).toBe(`100 % = ${workOf(twoProcesses, '--process', '112')}`);
    await expect.poll(() => crumbs(flame)).toBe('GPU work · process 112');
    // What fills the width is looked at in the other process.
    await flame.locator('canvas').focus();
    await flame.locator('canvas').press('ArrowDown');
    await flame.locator('canvas').press('Enter');
    await expect.poll(() => crumbs(flame)).toMatch(/^GPU work · process 112./);
    const inside = (await crumbs(flame))?.replace('112', '111');
    await choose(flame, 'Process', /\(111\) · GPU 0$/);
    await expect.poll(() => crumbs(flame)).toBe(inside);
    await workbench.screenshot('flame-process');

    await workbench.command('GPU Lens: Show Tables');
    const tables = await workbench.webview('GPU Tables');
    await tables.getByRole('tab', {name: 'Kernels', exact: true}).click();
    await tables.getByRole('combobox', {name: 'Process'}).click();
    await workbench.screenshot('tables-process-list');
    await tables.getByRole('option', {name: /\(112\)/}).click();
    const rows = json('stats', twoProcesses, '-r', 'cuda_gpu_kern_sum', '--process', '112') as unknown[];
    await expect.poll(() => tables.getByTestId('counts').textContent()).toBe(`${String(rows.length)} rows`);
    await workbench.screenshot('tables-process');
  });

  it('are files that lie beside each other, and are looked at likewise', async () => {
    const workbench = await Workbench.start({
      files: Object.fromEntries(
        [0, 1].map(rank => [`trace-rank-${String(rank)}.json.gz`, readFileSync(rankFile(rank))]),
      ),
      settings: {'gpuLens.profile': 'trace-rank-0.json.gz'},
    });
    await openedProfile(workbench.page, 'trace-rank-0.json.gz').waitFor();
    await workbench.command('GPU Lens: Show Tables');
    const tables = await workbench.webview('GPU Tables');
    await tables.getByRole('combobox', {name: 'Rank'}).waitFor();
    await workbench.command('GPU Lens: Show Flame Graph');
    const flame = await workbench.webview('GPU Flame Graph');
    await expect.poll(() => total(flame)).toBe(`100 % = ${workOf(rankFile(0))}`);
    await flame.locator('canvas').focus();
    for (let depth = 0; depth < 3; depth++) await flame.locator('canvas').press('ArrowDown');
    await flame.locator('canvas').press('Enter');
    await expect.poll(() => crumbs(flame)).toMatch(/^GPU workProfilerStep/);
    const path = await crumbs(flame);
    await choose(flame, 'Rank', 'Rank 1');
    await expect.poll(() => total(flame)).toBe(`100 % = ${workOf(rankFile(1))}`);
    await expect.poll(() => flame.getByText('trace-rank-1.json.gz').count()).toBe(1);
    await expect.poll(() => crumbs(flame)).toBe(path);
    await workbench.screenshot('flame-rank');
    await openedProfile(workbench.page, 'trace-rank-1.json.gz').waitFor();
    await choose(flame, 'Rank', 'Rank 0');
    await expect.poll(() => total(flame)).toBe(`100 % = ${workOf(rankFile(0))}`);

    await workbench.command('GPU Lens: Show Tables');
    const shown = await workbench.webview('GPU Tables');
    await shown.getByRole('tab', {name: 'Operators', exact: true}).click();
    await choose(shown, 'Rank', 'Rank 1');
    await openedProfile(workbench.page, 'trace-rank-1.json.gz').waitFor();
    const rank = shown.getByRole('combobox', {name: 'Rank'});
    await expect.poll(() => rank.evaluate(list => (list as HTMLElement & {value: string}).value)).toBe('1');
    expect(await shown.getByRole('tab', {name: 'Operators', exact: true}).getAttribute('aria-selected')).toBe('true');
    await workbench.screenshot('tables-rank');
  });
});
