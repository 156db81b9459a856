import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Frame} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import {timeWindowText} from '../../src/core/format/time-window-text.js';
import {gutterPx} from '../../webview/timeline/timeline-state.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {longTests} from '../support/long-tests.js';
import {hoverOf} from './support/hover.js';
import {acceptProposedName} from './support/quick-input.js';
import {suiteThemes, themes} from './support/themes.js';
import {Workbench} from './support/workbench.js';

const training = `from torch.profiler import record_function


def step(model, x):
    with record_function("attention"):
        x = model.attention(x)
    with record_function("mlp"):
        return model.mlp(x)
`;
const names = ['attention', 'mlp'];
const profile = 'gpu.pt.trace.json';

/** Four steps of 2 ms, in each the kernels of both ranges one behind the other: 900 µs and 600 µs, at work all the time. */
function trace(): string {
  const events = [0, 1, 2, 3].flatMap(step => {
    const beginUs = 2000 * step;
    return [
      kineto.range(`ProfilerStep#${String(step)}`, beginUs, 1990),
      ...names.flatMap((name, at) => {
        const id = 10 * step + at + 1;
        return [
          kineto.range(name, beginUs + 100 * at + 10, 80),
          kineto.call(id, beginUs + 100 * at + 20, 5),
          kineto.kernel(id, beginUs + 300 + 900 * at, 900 - 300 * at),
        ];
      }),
    ];
  });
  return kinetoText(events, {deviceProperties: [{id: 0, name: 'NVIDIA H100'}]});
}

interface Window {
  readonly fromNs: number;
  readonly toNs: number;
}
interface RangeRow {
  readonly name: string;
  readonly count: number;
  readonly gpuWorkNs: number;
  readonly gpuSelfNs: number;
}

describe('the scope that is marked in the timeline', () => {
  let workbench: Workbench;
  let timeline: Frame;
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {'train.py': training, [profile]: trace(), '.vscode/settings.json': `{"gpuLens.profile": "${profile}"}`},
      settings: {'workbench.colorTheme': 'Dark Modern'},
      size: {width: 1500, height: 1000},
    });
    await workbench.openFile('train.py');
    await workbench.codeLenses();
    await workbench.command('GPU Lens: Show Timeline');
    timeline = await workbench.webview('GPU Timeline', 'panel');
    await timeline.locator('.title', {hasText: profile}).waitFor();
  });

  const whole = ['GPU 900 µs/step · 60.0 % · ×1', 'GPU 600 µs/step · 40.0 % · ×1'];
  const canvas = () => timeline.locator('canvas');
  const chip = () => timeline.getByTestId('scope');
  const status = () => workbench.page.locator('.statusbar-item', {hasText: 'scoped to'});
  const lenses = () => workbench.codeLenses();

  /** Drags over the tracks between two parts of the plot's width. */
  async function brush(fromPart: number, toPart: number): Promise<Window> {
    const box = await canvas().boundingBox();
    if (!box) throw new Error('The timeline has no place on the screen.');
    const x = (part: number) => box.x + gutterPx + part * (box.width - gutterPx);
    await workbench.page.mouse.move(x(fromPart), box.y + 70);
    await workbench.page.mouse.down();
    await workbench.page.mouse.move(x(toPart), box.y + 100, {steps: 6});
    await workbench.page.mouse.up();
    return markedWindow();
  }

  /** The window as the panel of the area has it for the command line. */
  async function markedWindow(): Promise<Window> {
    const title = await timeline.locator('.area-title').getAttribute('title');
    const [from = NaN, to = NaN] = [...(title ?? '').matchAll(/--(?:from|to) (\d+)/g)].map(([, ns]) => Number(ns));
    return {fromNs: from, toNs: to};
  }

  /** What the command line says of the ranges in a window. */
  function ranges({fromNs, toNs}: Window): (name: string) => RangeRow {
    const args = ['ranges', join(workbench.workspace, profile), '--from', String(fromNs), '--to', String(toNs)];
    const {stdout} = spawnSync(process.execPath, [join(root, 'dist', 'cli.cjs'), ...args, '--format', 'json'], {
      encoding: 'utf8',
    });
    const rows = JSON.parse(stdout) as RangeRow[];
    return name => {
      const row = rows.find(one => one.name === name);
      if (!row) throw new Error(`The command line has no range ${name} in the window.`);
      return row;
    };
  }

  /** The texts above the lines that go with a window. */
  function textsOf(window: Window): string[] {
    const rowOf = ranges(window);
    const allNs = names.reduce((sum, name) => sum + rowOf(name).gpuWorkNs, 0);
    return names.map(name => {
      const {gpuWorkNs, count} = rowOf(name);
      const figures = `GPU ${formatDuration(gpuWorkNs)} · ${formatPercent(gpuWorkNs, allNs)}`;
      return `scoped to ${timeWindowText(window)} · ${figures}${count > 0 ? ` · ×${String(count)}` : ''}`;
    });
  }

  async function expectWhole(): Promise<void> {
    await expect.poll(lenses).toEqual(whole);
    await expect.poll(() => status().count()).toBe(0);
    await expect.poll(() => chip().isVisible()).toBe(false);
    await expect.poll(() => timeline.getByTestId('area').isVisible()).toBe(false);
  }

  it('is all of the profile at first: figures are per step', async () => {
    await expectWhole();
  });

  it('is a window that was brushed, for lines, with the figures of the command line', async () => {
    const window = await brush(0.3, 0.62);
    await expect.poll(lenses).toEqual(textsOf(window));
    await status().waitFor();
    expect(await chip().textContent()).toBe(`Scoped to ${timeWindowText(window)} ✕`);
    await workbench.page.mouse.move(0, 0);
    await workbench.screenshot('scope-lines');
  });

  it('is said in the hover, with a link out of it', async () => {
    const hover = await hoverOf(workbench.page.locator('.view-line', {hasText: '"mlp"'}), 'GPU span');
    const text = (await hover.textContent()) ?? '';
    expect(text).toContain(`Figures are scoped to ${timeWindowText(await markedWindow())}`);
    expect(text).toContain('in all in ');
    await workbench.screenshot('scope-hover');
    await hover.locator('a', {hasText: 'Clear the scope'}).click();
    await expectWhole();
  });

  it('ends with Escape in the timeline', async () => {
    await brush(0.1, 0.4);
    await expect.poll(async () => (await lenses())[0]).toMatch(/^scoped to/);
    await canvas().press('Escape');
    await expectWhole();
  });

  it('is saved as a part of the profile, as a step is by its menu: the bytes that the command line writes', async () => {
    const {fromNs, toNs} = await brush(0.3, 0.62);
    await timeline.getByTestId('area').getByLabel('Save this window as…').first().click();
    await saveAs('Keep names', `gpu.${timeWindowText({fromNs, toNs}).replace('–', '-').replace(' ', '')}`, [
      ...['--window', `${String(fromNs)}:${String(toNs)}ns`],
    ]);
    await canvas().press('Escape');
    const box = await canvas().boundingBox();
    const inStep = {x: gutterPx + 0.4 * ((box?.width ?? 0) - gutterPx), y: 90};
    await workbench.pickInMenu(canvas(), 'Save Part of Profile As…', inStep);
    await saveAs('Drop names', 'gpu.step-1', ['--step', '1', '--names', 'drop']);
    await expectWhole();
  });

  /** Answers what is asked when a part is saved, and compares what is written. */
  async function saveAs(names: string, stem: string, options: readonly string[]): Promise<void> {
    await workbench.pick(names);
    const name = `${stem}.pt.trace.json.gz`;
    await workbench.page.locator('.quick-input-title', {hasText: 'Save Part of Profile'}).waitFor();
    await acceptProposedName(workbench.page, name);
    await workbench.page.locator('.notification-list-item-message', {hasText: `Saved ${name}. The file has`}).waitFor();
    const [file, expected] = [name, `${stem}.expected.json.gz`].map(one => join(workbench.workspace, one));
    const args = ['export', join(workbench.workspace, profile), '--to', 'pytorch', ...options, '-o', expected ?? ''];
    expect(spawnSync(process.execPath, [join(root, 'dist', 'cli.cjs'), ...args]).status).toBe(0);
    expect(readFileSync(file ?? '').equals(readFileSync(expected ?? ''))).toBe(true);
  }

  it('is marked by keys alone, and ends with a command', async () => {
    await canvas().press('w');
    await canvas().press('r');
    await expect.poll(async () => (await lenses())[0]).toMatch(/^scoped to/);
    await expect.poll(lenses).toEqual(textsOf(await markedWindow()));
    // The palette is opened behind an Escape, which in the timeline ends it, too.
    await workbench.page.locator('.view-line', {hasText: 'def step'}).click();
    await workbench.command('GPU Lens: Clear the Scope');
    await expectWhole();
    await canvas().press('Home');
  });

  it('is of hot ranges and of tables, and ends with a click in the status bar', async () => {
    const window = await brush(0.3, 0.62);
    await workbench.sideBar('GPU Lens');
    const pane = workbench.page.locator('.pane', {hasText: 'Hot Ranges'});
    const rowOf = ranges(window);
    await expect.poll(() => pane.textContent()).toContain(`Figures are scoped to ${timeWindowText(window)}.`);
    const label = () => pane.locator('.monaco-list-row', {hasText: 'mlp'}).first().getAttribute('aria-label');
    await expect.poll(label).toContain(`mlp, ${formatDuration(rowOf('mlp').gpuWorkNs)} · `);
    await workbench.sideBar('Explorer');
    await workbench.command('GPU Lens: Show Tables');
    const tables = await workbench.webview('GPU Tables');
    const row = () => tables.locator('.body .row', {hasText: 'attention'}).first().innerText();
    const workText = formatDuration(rowOf('attention').gpuWorkNs);
    await expect.poll(row).toContain(workText);
    expect(await tables.getByTestId('scope').textContent()).toBe(`Scoped to ${timeWindowText(window)} ✕`);
    await workbench.screenshot('scope-tables');
    await status().click();
    await expect.poll(row).toContain('3.60 ms');
    expect(await tables.getByTestId('scope').isVisible()).toBe(false);
    await brush(0.3, 0.62);
    await expect.poll(row).toContain(workText);
    await tables.getByTestId('scope').click();
    await expect.poll(row).toContain('3.60 ms');
    await brush(0.3, 0.62);
    await expect.poll(row).toContain(workText);
    await tables.locator('.grid').focus();
    await workbench.page.keyboard.press('Escape');
    await expect.poll(row).toContain('3.60 ms');
    await workbench.openFile('train.py');
    await expectWhole();
  });

  it('goes with the range to its flame graph', async () => {
    const window = await brush(0.3, 0.62);
    await expect.poll(async () => (await lenses())[0]).toMatch(/^scoped to/);
    await workbench.clickLensButton('flame');
    const flame = await workbench.webview('GPU Flame Graph');
    const work = formatDuration(ranges(window)('attention').gpuWorkNs);
    await expect.poll(() => flame.locator('.bar').first().textContent()).toContain(`100 % = ${work}`);
    await workbench.openFile('train.py');
  });

  longTests(() => {
    it('is there again after the window was loaded again, and ends with a click on its note', async () => {
      const window = await markedWindow();
      await workbench.reload();
      await workbench.openFile('train.py');
      timeline = await workbench.webview('GPU Timeline', 'panel');
      await expect.poll(lenses).toEqual(textsOf(window));
      await expect.poll(() => chip().textContent()).toBe(`Scoped to ${timeWindowText(window)} ✕`);
      expect(await markedWindow()).toEqual(window);
      await chip().click();
      await expectWhole();
    });
  });

  it.each(suiteThemes)('looks right in the theme %s', async theme => {
    await workbench.chooseTheme(theme, timeline);
    await brush(0.3, 0.62);
    await expect.poll(async () => (await lenses())[0]).toMatch(/^scoped to/);
    await workbench.screenshotAtRest(`scope-${themes[theme].webview}`);
  });
});
