import {join} from 'node:path';
import type {Frame} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {run} from '../support/command-line.js';
import {twoRangeSteps} from '../support/two-range-steps.js';
import {openedProfile} from './support/opened-profile.js';
import {accessibilityViolations} from './support/accessibility.js';
import {previewOf} from './support/markdown-preview.js';
import {themeNames, themes} from './support/themes.js';
import {currentWorkbench, Workbench} from './support/workbench.js';

describe('Compare Active Profile with…', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start({
      copyOf: join(root, 'media', 'sample'),
      files: {
        'before.pt.trace.json': twoRangeSteps(100),
        'after.pt.trace.json': twoRangeSteps(120),
        ...runFiles(1, twoRangeSteps(100), 100),
        ...runFiles(2, twoRangeSteps(120), 120),
        '.vscode/settings.json': JSON.stringify({'gpuLens.profile': 'before.pt.trace.json'}),
      },
    });
  });

  it('asks for the other profile, and shows what changed', async () => {
    const {page} = workbench;
    await openedProfile(page, 'before.pt.trace.json').waitFor();
    await workbench.openFile('after.pt.trace.json');
    await openedProfile(page, 'after.pt.trace.json').waitFor();
    await workbench.command('GPU Lens: Compare Active Profile with…', 'before.pt.trace.json');
    const preview = await comparisonOf(workbench, 'after.pt.trace.json compared with before.pt.trace.json');
    const text = await preview.locator('body').textContent();
    expect(text).toContain('Comparable.');
    expect(text).toMatch(/GPU work a step: 302 µs before, 322 µs after; \+20\.0 µs ± .*: slower\./);
    const ranges = preview.getByRole('grid', {name: 'Ranges'});
    const attention = ranges.getByRole('row', {name: /attention/}).locator('.found');
    expect(await attention.textContent()).toBe('slower');
    await ranges.focus();
    for (const key of ['ArrowUp', 'Enter']) await ranges.press(key);
    await expect.poll(() => ranges.getByRole('columnheader').first().getAttribute('aria-sort')).toBe('ascending');
    await workbench.screenshot('compare-profiles');
    expect(await accessibilityViolations(preview)).toEqual([]);
    const shapes = preview.getByRole('checkbox', {name: 'Operators by shapes'});
    await shapes.press('Space');
    await preview.getByText('A profile has no recorded shapes (record_shapes=True)').waitFor();
    // The box tells its new state a frame later.
    await expect.poll(() => shapes.isChecked()).toBe(false);
    await preview.getByRole('tab', {name: 'Flame Graph'}).click();
    await preview.locator('.flame canvas').press('ArrowDown');
    await expect.poll(() => preview.getByTestId('selection').textContent()).toContain('slower');
    await workbench.screenshot('compare-flame');
    expect(await accessibilityViolations(preview)).toEqual([]);
  });

  it('keeps the active profile, and copies the page', async () => {
    const {page} = workbench;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const preview = await comparisonOf(workbench, 'after.pt.trace.json compared with before.pt.trace.json');
    await preview.locator('vscode-button', {hasText: 'Copy as Markdown'}).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('| ProfilerStep');
    expect(await openedProfile(page, 'after.pt.trace.json').count()).toBe(1);
  });

  it('shows what stands in the way of the active profile, with the figures of the command line', async () => {
    await workbench.command('GPU Lens: Show Findings');
    const preview = await previewOf(workbench.page, 'Findings in after.pt.trace.json');
    const text = await preview.locator('body').textContent();
    const {stdout} = run('findings', join(workbench.workspace, 'after.pt.trace.json'));
    for (const [title] of stdout.matchAll(/(?<=^(?:high|medium|low) +)\S.*/gm)) expect(text).toContain(title);
    expect(text).toContain('The CPU launches too slowly for the GPU');
    await workbench.screenshot('findings');
  });

  it('shows what changes would bring, as the command line predicts it', async () => {
    await workbench.command('GPU Lens: What If…');
    const preview = await previewOf(workbench.page, 'What if? after.pt.trace.json');
    const {stdout} = run('whatif', join(workbench.workspace, 'after.pt.trace.json'), '--apply', 'launch-cost=0.5');
    const [, step, , low, high] = /^Predicted +(.*?) \((.*?)\), between (.*?) and (.*)$/m.exec(stdout) ?? [];
    const row = preview.locator('tr', {hasText: 'launch-cost=0.5'});
    const text = async () => (await row.textContent())?.replaceAll('\u00a0', ' ');
    await expect.poll(text).toContain(`≈ ${step ?? '?'}`);
    expect(await text()).toContain(`${low ?? '?'} to ${high ?? '?'}`);
    await workbench.screenshot('what-if');
  });
});

describe('the view "Runs"', () => {
  it('lists runs, compares two of them, pins one, and looks right in every theme', async () => {
    const workbench = currentWorkbench();
    if (!workbench) throw new Error('The window is open.');
    const {page} = workbench;
    // A page that is drawn anew takes the focus, which closes a list to choose from.
    await workbench.command('View: Close All Editors');
    // VS Code's own command, which it names by the container.
    const container = 'GPU Lens';
    await workbench.command(`${container}: Focus on Runs View`);
    const rows = page.locator('.pane', {hasText: 'Runs'}).locator('.monaco-list-row', {hasText: /after|before/});
    await expect.poll(() => rows.allTextContents()).toHaveLength(2);
    expect((await rows.allTextContents())[0]).toMatch(/^after120 ms ± 1\.00 ms ▇█ · 2026-01-01 00:00 UTC/);
    for (const theme of themeNames) {
      await workbench.chooseTheme(theme);
      await workbench.screenshot(`runs-${themes[theme].webview}`);
    }
    await workbench.pickInMenu(rows.nth(1), 'Pin as Baseline');
    await rows.nth(1).locator('.codicon-pinned').first().waitFor();
    await workbench.pickInMenu(rows.nth(0), 'Compare Run with…');
    // It is the run before, too.
    await workbench.pick('pinned baselines');
    const title = '20260101-000002-train/train.pt.trace.json compared with 20260101-000001-train/train.pt.trace.json';
    const preview = await comparisonOf(workbench, title);
    expect(await preview.locator('body').textContent()).toContain('Comparable.');
  });
});

/** A recorded run as the runner leaves it. @param second that it began in */
function runFiles(second: number, trace: string, stepMs: number): Record<string, string> {
  const folder = `.gpu-lens/runs/20260101-00000${String(second)}-train`;
  const began = `2026-01-01T00:00:0${String(second)}.000Z`;
  const overhead = {plainStepNs: stepMs * 1e6, plainNs: [stepMs - 1, stepMs, stepMs + 1].map(ms => ms * 1e6)};
  const profiles = [{file: 'train.pt.trace.json', kind: 'steps', steps: 3, rank: null}];
  const run = {
    ...{version: 1, name: 'train', command: ['python', 'train.py'], cwd: '/w', began, ended: began, status: 0},
    ...{commit: null, dirty: null, batch: null, profiles},
  };
  return {
    [`${folder}/train.pt.trace.json`]: trace,
    [`${folder}/train.meta.json`]: JSON.stringify({version: 1, kind: 'steps', steps: 3, sites: [], overhead}),
    [`${folder}/run.json`]: JSON.stringify(run),
    [`${folder}/mark.json`]: JSON.stringify({label: second === 1 ? 'before' : 'after', isPinned: false}),
  };
}

/** The page of a comparison with a title. */
async function comparisonOf(workbench: Workbench, title: string): Promise<Frame> {
  const frame = await workbench.webview('GPU Comparison');
  await expect.poll(() => frame.locator('.bar .title').textContent()).toBe(title);
  return frame;
}
