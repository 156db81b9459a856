import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {beforeAll, describe, expect, it} from 'vitest';
import {formatDuration} from '../../src/core/format/duration.js';
import {root} from '../../scripts/lib/run.mjs';
import {openedProfile} from './support/opened-profile.js';
import {themeNames, themes} from './support/themes.js';
import {Workbench} from './support/workbench.js';

const sample = join(root, 'media', 'sample');

interface RangeRow {
  readonly name: string;
  readonly cpuWallNs: number;
  readonly count: number;
}

/** What the command line says of the sample's profile, by step. */
function ranges(step: number): RangeRow[] {
  const profile = join(sample, 'profile', 'train.pt.trace.json.gz');
  const args = [join(root, 'dist', 'cli.cjs'), 'ranges', profile, '--format', 'json', '--step', String(step)];
  return JSON.parse(spawnSync(process.execPath, args, {encoding: 'utf8'}).stdout) as RangeRow[];
}

/** CPU time and instances of ranges, per step: means over the steps of the profile. */
function perStep(names: RegExp): {wall: string; count: string} {
  const steps = [1, 2, 3].map(ranges);
  const rows = steps.flat().filter(({name}) => names.test(name));
  const sum = (key: 'cpuWallNs' | 'count') => rows.reduce((total, row) => total + row[key], 0);
  return {wall: formatDuration(sum('cpuWallNs') / steps.length), count: String(sum('count') / steps.length)};
}

describe('the sample project', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start({copyOf: sample});
  });

  it('shows its recorded profile in the status bar at start', async () => {
    await openedProfile(workbench.page, 'train.pt.trace.json.gz').waitFor();
  });

  it('has a CodeLens with the command line’s figures above each tagged line', async () => {
    await workbench.openFile('model.py');
    const text = (names: RegExp) => {
      const {wall, count} = perStep(names);
      return {start: `CPU ${wall}/step · `, end: ` % of the step · ×${count} · no GPU work in this profile`};
    };
    const expected = [/^attention projections$/, /^scaled_dot_product_attention$/, /^output projection$/].map(text);
    const lines = expected.map(({start, end}): unknown => {
      return expect.stringMatching(new RegExp(`^${escape(start)}.*${escape(end)}$`));
    });
    const measured = async () => (await workbench.codeLenses()).filter(text => !text.startsWith('≈'));
    await expect.poll(async () => (await measured()).slice(0, 3)).toEqual(lines);
    await workbench.screenshot('sample-codelens');
  });

  it('has what these lines would launch on a GPU beside them, marked as predicted', async () => {
    const isPredicted = (text: string) => /^≈ GPU [\d.]+ µs\/step, predicted for H100$/.test(text);
    await expect.poll(async () => (await workbench.codeLenses()).filter(isPredicted).length).toBeGreaterThan(2);
  });

  it('sums the layers of an f-string on its line', async () => {
    await workbench.goToLine(89);
    const {wall, count} = perStep(/^layer_\d$/);
    await expect
      .poll(() => workbench.codeLenses())
      .toContainEqual(expect.stringMatching(`^CPU ${wall}/step · .* · ×${count} `));
  });

  it('shows the range in the timeline on a click', async () => {
    await workbench.openFile('train.py');
    await workbench.codeLenses();
    await workbench.clickCodeLens(`CPU ${perStep(/^backward_pass$/).wall}/step`);
    const timeline = await workbench.webview('GPU Timeline', 'panel');
    const selection = timeline.getByTestId('selection');
    await expect.poll(() => selection.textContent()).toMatch(/^backward_pass · start \d.* · duration \d/);
    await workbench.screenshot('sample-timeline-range');
  });

  it('shows it too after the timeline was hidden behind another view', async () => {
    await workbench.command('View: Toggle Output');
    await workbench.page.locator('.panel .composite.title', {hasText: 'Output'}).waitFor();
    await workbench.clickCodeLens(`CPU ${perStep(/^forward_pass$/).wall}/step`);
    const timeline = await workbench.webview('GPU Timeline', 'panel');
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toMatch(/^forward_pass · start/);
  });

  it('shows the flame graph, which zooms on a click and goes back with Escape', async () => {
    await workbench.command('GPU Lens: Show Flame Graph');
    const flame = await workbench.webview('GPU Flame Graph');
    const crumbs = flame.getByRole('navigation');
    await expect.poll(() => crumbs.textContent()).toContain('CPU wall time of ranges and operators');
    const canvas = flame.locator('canvas');
    await canvas.click({position: {x: 100, y: 30}});
    await expect.poll(() => crumbs.textContent()).toBe('CPU wall time of ranges and operatorsProfilerStep*');
    await canvas.click({position: {x: 100, y: 50}});
    await expect.poll(() => crumbs.textContent()).toContain('train_step');
    await workbench.screenshot('sample-flame-zoomed');
    await canvas.press('Escape');
    await canvas.press('Escape');
    await expect.poll(() => crumbs.textContent()).toBe('CPU wall time of ranges and operators');
    await canvas.press('ArrowDown');
    await canvas.press('ArrowDown');
    await expect
      .poll(() => flame.getByTestId('selection').textContent())
      .toMatch(/^train_step · CPU wall .* · 3 instances/);
    await canvas.press('Enter');
    await expect.poll(() => crumbs.textContent()).toContain('train_step');
    await canvas.press('Home');
    await canvas.hover({position: {x: 100, y: 50}});
    await expect.poll(() => flame.getByRole('tooltip').textContent()).toContain('train_step');
    await workbench.screenshot('sample-flame');
  });

  it('says that there is no GPU work where GPU work is asked for', async () => {
    const flame = await workbench.webview('GPU Flame Graph');
    await flame.getByRole('combobox', {name: 'Width of the blocks'}).click();
    await flame.getByRole('option', {name: 'GPU work'}).click();
    await expect
      .poll(() => flame.locator('body').textContent())
      .toContain('This profile has no GPU work. Choose CPU wall time.');
  });

  it('has everything back after a reload of the window', async () => {
    await workbench.reload();
    await openedProfile(workbench.page, 'train.pt.trace.json.gz').waitFor();
    await workbench.openFile('model.py');
    await expect.poll(async () => (await workbench.codeLenses()).length).toBeGreaterThan(2);
    await workbench.command('GPU Lens: Show Timeline');
    const timeline = await workbench.webview('GPU Timeline', 'panel');
    await expect.poll(() => timeline.locator('.title').textContent()).toBe('train.pt.trace.json.gz');
    await workbench.command('GPU Lens: Show Flame Graph');
    await workbench.webview('GPU Flame Graph');
  });

  it.each(themeNames)('follows the theme %s', async theme => {
    const views = [await workbench.webview('GPU Timeline', 'panel'), await workbench.webview('GPU Flame Graph')];
    await workbench.chooseTheme(theme, ...views);
    await workbench.screenshotAtRest(`theme-${themes[theme].webview}`);
  });
});

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
