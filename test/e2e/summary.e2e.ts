import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Frame} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {run} from '../support/command-line.js';
import {kinetoText} from '../support/kineto-events.js';
import {project} from '../support/project.js';
import {trainingProgram} from '../support/training-program.js';
import {acceptProposedName} from './support/quick-input.js';
import {everydayThemes, themes} from './support/themes.js';
import {Workbench} from './support/workbench.js';

const trace = kinetoText(trainingProgram().events, {
  deviceProperties: [{id: 0, name: 'NVIDIA H100 80GB HBM3'}],
});
const profile = 'train.pt.trace.json';
describe('the summary of a profile', () => {
  let workbench: Workbench;
  let frame: Frame;
  const headline = () => frame.locator('[data-testid=headline] .figure').allInnerTexts();
  const rowOf = (table: string, text: string) => frame.locator(`table[aria-label="${table}"] tr`, {hasText: text});

  beforeAll(async () => {
    workbench = await Workbench.start({files: {[profile]: trace}, size: {width: 1400, height: 1000}});
    await workbench.command('GPU Lens: Show Summary');
    frame = await workbench.webview('GPU Summary');
    await frame.getByText('No profile is open.').waitFor();
    await workbench.command('GPU Lens: Open Profile…', profile);
    await frame.locator('table[aria-label=Kernels]').waitFor();
  });

  it('says how long a step is, how busy the GPU, and what is in the way', async () => {
    await expect.poll(headline).toEqual(['11.4 ms', '84.6 %', '11.0 %']);
    expect(await frame.locator('[data-testid=headline]').innerText()).toContain('Idle: data loader');
    expect(await frame.locator('[data-testid=facts]').innerText()).toContain('NVIDIA H100 80GB HBM3');
    expect(await rowOf('An average step: 11.4 ms', 'Matrix products').innerText()).toMatch(/6\.60 ms\s+58\.0 %/);
    await frame.locator('.findings > ul > li').first().waitFor();
    await workbench.screenshotAtRest('summary-page');
  });

  it('shows a step that is chosen by the keyboard, and leads on to the timeline', async () => {
    const chart = frame.getByRole('tree', {name: 'Steps.'});
    await chart.focus();
    await workbench.page.keyboard.press('End');
    await expect.poll(() => frame.locator('h2', {hasText: 'Step 6'}).count()).toBe(1);
    expect(await frame.locator('.column.chosen').count()).toBe(1);
    await workbench.page.keyboard.press('Enter');
    const timeline = await workbench.webview('GPU Timeline', 'panel');
    // Once the timeline shows the selection, it takes the focus no more.
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toContain('ProfilerStep#6');
    await chart.press('Escape');
    await expect.poll(() => frame.locator('h2', {hasText: 'An average step'}).count()).toBe(1);
  });

  it('is copied as Markdown', async () => {
    await frame.getByText('Copy as Markdown').click();
    await expect.poll(() => frame.locator('.bar').innerText()).toContain('The summary: copied.');
  });

  it('is written as a report: the page that the command line writes', async () => {
    await workbench.command('GPU Lens: Write Report…');
    const name = `${profile}.report.html`;
    await workbench.page.locator('.quick-input-title', {hasText: 'Write Report'}).waitFor();
    await acceptProposedName(workbench.page, name);
    await workbench.page.locator('.tab.active', {hasText: name}).waitFor();
    const [written, expected] = [name, 'expected.html'].map(one => join(workbench.workspace, one));
    const {stderr, status} = run('report', join(workbench.workspace, profile), '-o', expected ?? '');
    expect(status, stderr).toBe(0);
    const page = readFileSync(written ?? '', 'utf8');
    expect(page).toBe(readFileSync(expected ?? '', 'utf8'));
    expect(page).toContain('11.4 ms');
    expect(page).toContain('<svg');
    await workbench.command('View: Close Editor');
    await workbench.page.locator('.tab.active', {hasText: 'GPU Summary'}).waitFor();
    frame = await workbench.webview('GPU Summary');
    await frame.locator('table[aria-label=Kernels]').waitFor();
  });

  it.each(everydayThemes)('follows the theme %s', async theme => {
    await workbench.chooseTheme(theme, frame);
    await expect.poll(() => frame.locator('.split-bar svg [data-part]').count()).toBeGreaterThan(5);
    await workbench.screenshotAtRest(`summary-${themes[theme].webview}`);
  });
});

describe('the summary of a profile that is opened', () => {
  const sample = 'sample.pt.trace.json.gz';
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {
        [profile]: trace,
        'another.pt.trace.json': trace,
        [sample]: readFileSync(join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz')),
      },
      settings: {'gpuLens.summary.open': true},
      size: {width: 1400, height: 1000},
    });
  });

  it.each([
    ['by the command', profile],
    ['in the explorer', 'another.pt.trace.json'],
  ])('opens beside its timeline %s', async (how, path) => {
    if (how === 'by the command') await workbench.command('GPU Lens: Open Profile…', path);
    else await workbench.openFile(path);
    const frame = await workbench.webview('GPU Summary');
    await frame.locator('table[aria-label=Kernels]').waitFor();
    const timeline = await workbench.webview('GPU Timeline', how === 'by the command' ? 'panel' : 'editor');
    await timeline.locator('canvas').waitFor();
    await frame.locator('.findings > ul > li').first().waitFor();
    await workbench.screenshotAtRest(`summary-opened-${how.replaceAll(' ', '-')}`);
    // A page that is hidden is thrown away by VS Code, and made anew when it is shown.
    await workbench.command('GPU Lens: Show Tables');
    await workbench.webview('GPU Tables');
    await workbench.command('GPU Lens: Show Summary');
    const again = await workbench.webview('GPU Summary');
    await again.locator('table[aria-label=Kernels]').waitFor();
    await workbench.command('View: Close All Editors');
    await workbench.command('GPU Lens: Close Profile');
  });

  it('is of the CPU where there is no GPU work, and says so', async () => {
    await workbench.command('GPU Lens: Show Summary');
    const frame = await workbench.webview('GPU Summary');
    await frame.getByText('No profile is open.').waitFor();
    await workbench.command('GPU Lens: Open Profile…', sample);
    await frame.getByText('There is no GPU work in this profile').first().waitFor();
    await expect.poll(() => frame.locator('[data-testid=headline]').innerText()).toMatch(/a step\s+[\d.]+ ms/);
    await frame.locator('table[aria-label=Operators] tbody tr').first().waitFor();
    await workbench.screenshotAtRest('summary-sample');
  });
});
