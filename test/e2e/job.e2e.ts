import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Frame} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {zipOf} from '../support/make-zip.js';
import {project} from '../support/project.js';
import {RanksOfRecording} from '../support/ranks-of-recording.js';
import {openedProfile} from './support/opened-profile.js';
import {everydayThemes, themes} from './support/themes.js';
import {Workbench} from './support/workbench.js';

const recording = readFileSync(join(project, 'test', 'fixtures', 'gloo', 'ranks.rank0.pt.trace.json.gz'));
/** Five ranks, of which number 3 is not here, and number 2 is 60 ms late to each step's first collective. */
const made = new RanksOfRecording(recording, {
  ...{ranks: 5, times: 3, aheadUs: rank => 700 * rank},
  straggler: {rank: 2, lateUs: 60_000},
});
const ranks = [0, 1, 2, 4].map(rank => ({
  name: `run/rank${String(rank)}.pt.trace.json`,
  data: Buffer.from([made.head(rank), ...made.body(rank)].join('')),
}));

describe('a job', () => {
  let workbench: Workbench;
  let frame: Frame;

  beforeAll(async () => {
    workbench = await Workbench.start({files: {'job.zip': zipOf(ranks)}, size: {width: 1400, height: 1000}});
    await workbench.command('GPU Lens: Open Profile…', 'job.zip');
    frame = await workbench.webview('Ranks as One Job');
    await frame.getByTestId('verdict').waitFor();
  });

  it('of a zip says who holds the others up, and which rank is missing', async () => {
    expect(await frame.getByTestId('verdict').innerText()).toBe('Rank 2 holds the others up.');
    const said = await frame.locator('.verdict').innerText();
    expect(said).toContain('1 rank of the job has no profile here: 3.');
    expect(said).toContain('60.0 ms longer a step');
    await workbench.sideBar('GPU Lens');
    const row = (text: string) => workbench.page.locator('.monaco-list-row', {hasText: text}).first();
    await row('job.zip').waitFor();
    expect(await row('job.zip').innerText()).toContain('4 ranks, 1 missing');
    expect(await row('Rank 3').innerText()).toContain('no profile');
    await workbench.screenshotAtRest('job-page');
  });

  it('leads by the keyboard from a cell to that rank’s timeline, which is read only then', async () => {
    const map = frame.locator('canvas[aria-label^="Ranks by steps"]');
    await map.focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await workbench.page.keyboard.press(key);
    await expect.poll(() => frame.locator('.heat-chosen').first().innerText()).toContain('Rank 2, step 2:');
    await workbench.page.keyboard.press('Enter');
    const timeline = await workbench.webview('GPU Timeline', 'panel');
    await timeline.locator('body', {hasText: 'ProfilerStep#2'}).waitFor();
    // The timeline takes the focus; the next test moves it back.
    const focused = () => timeline.evaluate(() => document.hasFocus() && document.activeElement?.localName);
    await expect.poll(focused).toBe('canvas');
    await openedProfile(workbench.page, 'rank2.pt.trace.json').waitFor();
    await expect.poll(() => frame.locator('.bar').innerText()).toContain('Other views show rank 2.');
  });

  it('has a timeline of all ranks, which tells who waits for whom in a call', async () => {
    const canvas = frame.locator('canvas[aria-label^="Timeline of all ranks"]');
    await canvas.focus();
    await workbench.page.keyboard.press('ArrowRight');
    const section = frame.locator('.heat', {has: canvas});
    await expect.poll(() => section.locator('.heat-chosen').innerText()).toContain('for others; rank 2 waits least.');
    await workbench.screenshotAtRest('job-timeline');
  });

  it('compares one rank with the others, range by range', async () => {
    await frame.getByRole('combobox', {name: 'Compare'}).click();
    await frame.getByRole('option', {name: 'Rank 2'}).click();
    const head = frame.locator('[role=grid][aria-label="Ranges over the ranks"] .head');
    await expect.poll(() => head.innerText()).toContain('Against the median');
  });

  it('has its ranks in the selector of other views, the slowest marked', async () => {
    await workbench.command('GPU Lens: Show Flame Graph');
    const flame = await workbench.webview('GPU Flame Graph');
    await flame.getByRole('combobox', {name: 'Rank'}).click();
    await flame.getByRole('option', {name: 'Rank 2 (slowest)'}).waitFor();
    await flame.getByRole('option', {name: /^Rank 4/}).click();
    await openedProfile(workbench.page, 'rank4.pt.trace.json').waitFor();
    // The list of ranks is rebuilt with the new profile.
    await flame.locator('.title', {hasText: 'rank4.pt.trace.json'}).waitFor();
    const list = flame.getByRole('combobox', {name: 'Rank'});
    await expect.poll(() => list.evaluate(one => (one as HTMLElement & {value: string}).value)).toBe('4');
    await list.click();
    await flame.getByRole('option', {name: /^All ranks/}).click();
    frame = await workbench.webview('Ranks as One Job');
    await expect.poll(() => frame.evaluate(() => document.activeElement?.id)).toBe('ranks-ranges');
  });

  it.each(everydayThemes)('follows the theme %s', async theme => {
    await workbench.command('GPU Lens: Show Ranks as One Job');
    frame = await workbench.webview('Ranks as One Job');
    await frame.getByTestId('verdict').waitFor();
    await workbench.chooseTheme(theme, frame);
    await workbench.screenshotAtRest(`job-${themes[theme].webview}`);
  });
});
