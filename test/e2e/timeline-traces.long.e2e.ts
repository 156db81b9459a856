import {symlinkSync} from 'node:fs';
import {basename, join} from 'node:path';
import type {Frame, Locator} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {benchInputs, whyNoRealInputs} from '../../scripts/lib/bench-inputs.mjs';
import {gutterPx, overviewPx, rulerPx} from '../../webview/timeline/timeline-state.js';
import {dataFolder, hasData} from '../support/real-data.js';
import {framesDrawn, pictureAtRest, pictureOf} from './support/rest.js';
import {themeNames} from './support/themes.js';
import {opensEveryTrace, Workbench} from './support/workbench.js';

interface WalkedTrace {
  /** Of the real profiles; null for an input of the benchmarks, which is generated from one of them. */
  readonly folder: string | null;
  readonly file: string;
  /** The header's text, which `gpu-lens info` confirms. */
  readonly figures: string;
  readonly hasSteps: boolean;
}

const traces: readonly WalkedTrace[] = [
  {folder: 'nsys', file: 'train-2xh100-2proc.sqlite', figures: 'over 2 GPUs, idle 0.67 %', hasSteps: false},
  {folder: 'nsys', file: 'cs336-2.7b-a100.sqlite', figures: '46.3 s · GPU busy 7.85 s, idle 15.1 %', hasSteps: false},
  {folder: 'kineto', file: 'ns-resolution-rank0.json.gz', figures: 'GPU busy 472 ms, idle 1.58 %', hasSteps: true},
  {folder: null, file: '500-thousand.pt.trace.json', figures: 'GPU busy 5.20 s, idle 4.29 %', hasSteps: true},
];

const whyNoScaled = whyNoRealInputs();
if (whyNoScaled !== null) console.warn(`Skipped: the scaled trace. ${whyNoScaled}`);
const here = traces.filter(({folder}) => (folder === null ? whyNoScaled === null : hasData));

/** What a key or a gesture changes. */
type Watched = 'window' | 'selection' | 'row' | 'picture' | 'colour';

// If there is no trace, the tests of the first one exist, and are skipped.
const shown = here.length === 0 ? traces.slice(0, 1) : here;
let workbench: Workbench;
beforeAll(async () => {
  if (here.length === 0) return;
  // Low enough that the rows can be scrolled.
  workbench = await Workbench.start({
    files: {'notes.txt': 'Notes\n'},
    settings: opensEveryTrace,
    size: {width: 1400, height: 520},
  });
  for (const {folder, file} of here) {
    const [made = ''] = folder === null ? await benchInputs([basename(file, '.pt.trace.json')]) : [];
    symlinkSync(folder === null ? made : join(dataFolder, folder, file), join(workbench.workspace, file));
  }
});

describe.skipIf(here.length === 0).each(shown)('the timeline on $file', ({file, figures, hasSteps}) => {
  let timeline: Frame;
  let canvas: Locator;

  beforeAll(async () => {
    await workbench.openFile(file);
    timeline = await workbench.webview('GPU Timeline');
    canvas = timeline.locator('canvas');
    await timeline.locator('.title', {hasText: file}).waitFor();
  });
  afterAll(() => workbench.command('View: Close All Editors'));

  const watch: Readonly<Record<Watched, () => Promise<string>>> = {
    window: async () => (await timeline.getByTestId('window').textContent()) ?? '',
    selection: async () => (await timeline.getByTestId('selection').textContent()) ?? '',
    row: async () => (await timeline.getByTestId('focused-row').textContent()) ?? '',
    colour: async () => (await timeline.getByRole('button', {name: /^Coloured by/}).getAttribute('aria-label')) ?? '',
    picture: () => pictureOf(canvas),
  };

  async function changes(what: Watched, act: () => Promise<void>): Promise<void> {
    // An unfinished drawing would change by itself.
    const before = what === 'picture' ? await pictureAtRest(canvas) : await watch[what]();
    await act();
    await expect.poll(watch[what]).not.toBe(before);
  }

  async function press(what: Watched, keys: readonly string[]): Promise<void> {
    for (const key of keys) await changes(what, () => canvas.press(key));
  }

  async function placeOf(part: number, yPx: number): Promise<{x: number; y: number}> {
    const box = await canvas.boundingBox();
    if (!box) throw new Error('The timeline has no place on the screen.');
    return {x: box.x + gutterPx + part * (box.width - gutterPx), y: box.y + yPx};
  }

  async function drag(fromPart: number, toPart: number, fromY: number, toY = fromY): Promise<void> {
    const [from, to] = [await placeOf(fromPart, fromY), await placeOf(toPart, toY)];
    await workbench.page.mouse.move(from.x, from.y);
    await workbench.page.mouse.down();
    await workbench.page.mouse.move(to.x, to.y, {steps: 5});
    await workbench.page.mouse.up();
  }

  async function wheel(key: 'Control' | 'Shift' | null, deltaY: number): Promise<void> {
    const {x, y} = await placeOf(0.5, 120);
    await workbench.page.mouse.move(x, y);
    if (key) await workbench.page.keyboard.down(key);
    await workbench.page.mouse.wheel(0, deltaY);
    if (key) await workbench.page.keyboard.up(key);
  }

  it('shows the trace with its figures', async () => {
    await expect.poll(() => timeline.locator('.bar').textContent()).toContain(figures);
    await workbench.screenshotAtRest(`traces-${file}`);
  });

  it('goes from step to step, where there are some', async () => {
    await canvas.focus();
    await canvas.press('Home');
    if (hasSteps) await press('window', ['n', 'n', 'p', 'Home', 'g']);
    else {
      const before = await watch.window();
      for (const key of ['n', 'p', 'g']) await canvas.press(key);
      expect(await watch.window()).toBe(before);
    }
    await canvas.press('Home');
  });

  it('zooms, pans and scrolls by keys and wheel', async () => {
    await canvas.focus();
    await press('window', ['w', 's', '+', '-', 'w', 'd', 'a', 'ArrowRight', 'ArrowLeft', 'Home', 'w', '0']);
    await changes('window', () => wheel('Control', -240));
    await changes('window', () => wheel('Shift', 200));
    await workbench.page.keyboard.down('Shift');
    await changes('window', () => drag(0.5, 0.7, 120));
    await workbench.page.keyboard.up('Shift');
    await press('picture', ['PageDown', 'PageUp', 'ArrowDown', 'ArrowUp']);
    await changes('picture', () => wheel(null, 60));
    await canvas.press('Home');
  });

  it('searches, and goes along lanes and flows', async () => {
    await canvas.press('/');
    const input = timeline.getByRole('textbox', {name: 'Search names'});
    await input.fill('cudaLaunchKernel');
    await expect.poll(() => timeline.getByTestId('hits').textContent()).toMatch(/^1 of [\d,]+$/);
    // The match is counted before its slice is described.
    await expect.poll(watch.selection).toContain('cudaLaunchKernel · start');
    await changes('selection', () => input.press('Enter'));
    await expect.poll(() => timeline.getByTestId('hits').textContent()).toMatch(/^2 of [\d,]+$/);
    await changes('selection', () => input.press('Shift+Enter'));
    await expect.poll(() => timeline.getByTestId('hits').textContent()).toMatch(/^1 of [\d,]+$/);
    const first = await watch.selection();
    await input.press('Escape');
    await expect.poll(() => input.isVisible()).toBe(false);
    await canvas.press('Control+f');
    await expect.poll(() => input.isVisible()).toBe(true);
    await timeline.getByLabel('Use a regular expression').first().click();
    await input.fill('^cuda(Launch|Memcpy).*$');
    await expect.poll(() => timeline.getByTestId('hits').textContent()).toMatch(/^\d[\d,]* of [\d,]+$/);
    await timeline.getByLabel('Use a regular expression').first().click();
    await input.fill('cudaLaunchKernel');
    // Further typing does not leave the current match.
    await expect.poll(() => timeline.getByTestId('hits').textContent()).toMatch(/^1 of [\d,]+$/);
    expect(await watch.selection()).toBe(first);
    expect(first).toContain('cudaLaunchKernel · start');
    // Escape would return to where the search began, and the match's row would not be visible.
    await timeline.getByRole('button', {name: 'Close and stay here'}).click();
    await canvas.focus();
    await canvas.press('Home');
    await press('window', ['f']);
    await press('picture', ['m']);
    // As wide as the window, the selection would cover its row under a click.
    await press('selection', ['Escape']);
    const tooltip = timeline.getByRole('tooltip');
    const isOver = async () =>
      (await tooltip.isVisible()) && (await tooltip.textContent())?.includes('cudaLaunchKernel');
    await pictureAtRest(canvas);
    for (let yPx = 50; yPx < 400 && !(await isOver()); yPx += 6) {
      const {x, y} = await placeOf(0.5, yPx);
      await workbench.page.mouse.move(x, y);
      await framesDrawn(timeline);
    }
    await workbench.page.mouse.down();
    await workbench.page.mouse.up();
    // Of another thread, if that launches at the same time.
    await expect.poll(watch.selection).toContain('cudaLaunchKernel · start');
    await press('selection', ['.', ',']);
    const launch = await watch.selection();
    await press('selection', [']']);
    expect(await watch.selection()).toMatch(/ · GPU \d.* · Stream \d+/);
    await press('selection', ['[']);
    expect(await watch.selection()).toBe(launch);
    await workbench.screenshot(`traces-${file}-selection`);
    await press('selection', ['Escape']);
  });

  it('marks areas, measures, and brushes the overview', async () => {
    const area = timeline.getByTestId('area');
    for (const mark of [() => drag(0.2, 0.98, 80, 200), () => canvas.press('r')]) {
      await mark();
      await expect.poll(() => area.locator('.body .row').count()).toBeGreaterThan(0);
      expect(await area.textContent()).toMatch(/marked.*GPU \d+ busy .*, idle /);
      expect(await area.locator('.body .cell').nth(1).textContent()).toMatch(/^[\d.]+ (ns|µs|ms|s)$/);
      expect(await timeline.getByTestId('scope').isVisible()).toBe(true);
      await canvas.press('Escape');
      await expect.poll(() => area.isVisible()).toBe(false);
    }
    await changes('picture', () => drag(0.2, 0.5, overviewPx + rulerPx / 2));
    await canvas.press('Escape');
    await changes('window', () => drag(0.8, 0.95, overviewPx / 2));
  });

  it('chooses, folds, pins, moves and filters rows, colours them, and shows its keys', async () => {
    await canvas.press('Escape');
    // From the row below the first heading back to it: a group is never alone.
    await press('row', ['j', 'j', 't', 't', 'k', 'Alt+ArrowDown', 'Alt+ArrowUp', 'o', 'o']);
    await press('colour', ['c', 'c', 'c', 'c']);
    const filter = timeline.getByLabel('Filter tracks');
    await changes('picture', () => filter.fill('stream'));
    await filter.press('Escape');
    await canvas.press('?');
    const help = timeline.getByRole('dialog');
    await help.waitFor();
    await help.press('Escape');
    await expect.poll(() => help.isVisible()).toBe(false);
  });

  it.each(themeNames)('is to be looked at in the theme %s', async theme => {
    await canvas.press('Home');
    await workbench.chooseTheme(theme, timeline);
    await workbench.screenshotAtRest(`traces-${file}-${theme.toLowerCase().replaceAll(' ', '-')}`);
  });
});
