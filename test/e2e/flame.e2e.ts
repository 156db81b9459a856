import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Frame} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {modelTrace} from '../support/model-trace.js';
import {openedProfile} from './support/opened-profile.js';
import {acceptProposedName} from './support/quick-input.js';
import {tick} from './support/tick.js';
import {everydayThemes, themes} from './support/themes.js';
import {Workbench} from './support/workbench.js';

const source = [
  'from torch.profiler import record_function',
  'def forward(x):',
  '    with record_function("feed_forward"):',
  '        return x',
].join('\n');

describe('the flame graph of a model', () => {
  let workbench: Workbench;
  let flame: Frame;
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {'model.pt.trace.json': modelTrace(3, 8), 'model.py': source},
      settings: {'gpuLens.profile': 'model.pt.trace.json'},
    });
    await openedProfile(workbench.page, 'model.pt.trace.json').waitFor();
    // A zoom moves, as it does for most people.
    await workbench.page.emulateMedia({reducedMotion: 'no-preference'});
  });

  const show = async () => {
    await workbench.command('GPU Lens: Show Flame Graph');
    flame = await workbench.webview('GPU Flame Graph');
    await flame.locator('body:not(.vscode-reduce-motion)').waitFor({state: 'attached'});
    await expect.poll(crumbs).toMatch(/^GPU work/);
  };
  const crumbs = () => flame.getByRole('navigation').textContent();
  const selected = () => flame.getByTestId('selection').textContent();
  const choose = async (list: string, choice: string) => {
    await flame.getByRole('combobox', {name: list}).click();
    await flame.getByRole('option', {name: choice, exact: true}).click();
  };
  const canvas = () => flame.locator('canvas');
  /** The first block so many levels below the root: of the new picture, once it has come. */
  const first = async (level: number) => {
    await canvas().focus();
    await canvas().press('Home');
    for (let depth = 0; depth < level; depth++) await canvas().press('ArrowDown');
    return selected();
  };

  it('goes from ranges over operators to kernels by keys alone', async () => {
    await show();
    await canvas().focus();
    for (let depth = 0; depth < 5; depth++) await canvas().press('ArrowDown');
    await expect.poll(selected).toMatch(/^ampere_sgemm_128x128_tn · GPU work .* of all · self /);
    await canvas().press('Enter');
    await expect.poll(crumbs).toBe('GPU workProfilerStep*layer_7feed_forwardaten::linearampere_sgemm_128x128_tn');
    await canvas().press('Escape');
    await expect.poll(crumbs).toBe('GPU workProfilerStep*layer_7feed_forwardaten::linear');
    await canvas().press('Home');
    await canvas().press('?');
    const keys = flame.getByRole('dialog', {name: 'Keys of the flame graph'});
    await keys.getByText('Back to the root').waitFor();
    await workbench.screenshot('flame-keys');
    await keys.press('Escape');
    await expect.poll(() => keys.isVisible()).toBe(false);
    await expect.poll(() => canvas().evaluate(picture => picture === document.activeElement)).toBe(true);
    await workbench.screenshot('flame-merged');
  });

  it('finds names and sums them', async () => {
    await canvas().press('/');
    await flame.getByLabel('Search names').fill('softmax');
    await expect
      .poll(() => flame.getByTestId('found').textContent())
      .toBe('softmax: 360 µs, 10.9 %, 16 blocks, counted once where nested');
    await workbench.screenshot('flame-search');
    await flame.getByLabel('Search names').press('Escape');
    await expect.poll(() => flame.getByTestId('found').textContent()).toBe('');
  });

  it('folds layers, and says how far they spread', async () => {
    await tick(flame, 'Fold layers');
    await expect.poll(() => first(2)).toMatch(/^layer_\* · .* · 8 folded into one: 381 µs to 444 µs, mean 413 µs$/);
    await workbench.screenshot('flame-folded');
    await tick(flame, 'Fold layers', false);
    // The new graph arrives after the checkbox changes, and resets the selection.
    await expect.poll(() => first(2)).toMatch(/^layer_\d /);
  });

  it('shows the callers and callees of a block from its menu', async () => {
    await expect.poll(() => first(4)).toMatch(/^aten::linear /);
    await canvas().press('m');
    await flame.getByRole('menuitem', {name: 'Callers and callees of this name'}).click();
    await expect.poll(crumbs).toBe('aten::linear · GPU work');
    await workbench.screenshot('flame-sandwich');
    await choose('How blocks are put together', 'Inverted');
    await expect.poll(crumbs).toBe('GPU work');
    await workbench.screenshot('flame-inverted');
    await choose('How blocks are put together', 'In time order');
    await expect.poll(crumbs).toBe('GPU work');
    await expect.poll(() => first(1)).toMatch(/^ProfilerStep#0 /);
    await workbench.screenshot('flame-time');
  });

  it('shows one step, and the time between its kernels as idle', async () => {
    await choose('Width of the blocks', 'GPU busy');
    await expect.poll(crumbs).toBe('GPU busy and idle');
    await choose('How blocks are put together', 'By call path');
    await choose('Step', 'Step 1');
    await expect.poll(crumbs).toBe('GPU busy and idle · step 1');
    await choose('Step', 'All steps');
    await choose('Width of the blocks', 'GPU work');
    await expect.poll(crumbs).toBe('GPU work');
  });

  it('is chosen by keys, which stay where they are', async () => {
    const width = flame.getByRole('combobox', {name: 'Width of the blocks'});
    await width.focus();
    await width.press('ArrowDown');
    await expect.poll(crumbs).toBe('GPU busy and idle');
    await flame.locator('[aria-label="Width of the blocks"]:focus').waitFor();
    await flame.getByRole('combobox', {name: 'Width of the blocks'}).press('ArrowUp');
    await expect.poll(crumbs).toBe('GPU work');
    const fold = flame.getByRole('checkbox', {name: 'Fold layers'});
    await fold.focus();
    await fold.press('Space');
    await expect.poll(() => flame.getByRole('checkbox', {name: 'Fold layers'}).isChecked()).toBe(true);
    const focused = flame.locator('vscode-checkbox:focus', {hasText: 'Fold layers'});
    await focused.waitFor();
    await expect.poll(() => first(2)).toMatch(/^layer_\* /);
    await fold.focus();
    await focused.press('Space');
    await expect.poll(() => flame.getByRole('checkbox', {name: 'Fold layers'}).isChecked()).toBe(false);
  });

  it('narrows to the range of a block from its menu, and takes the range away again', async () => {
    await expect.poll(() => first(2)).toMatch(/^layer_\d /);
    const name = (await selected())?.split(' ')[0] ?? '';
    await canvas().press('m');
    await flame.getByRole('menuitem', {name: 'Only this range'}).click();
    await expect.poll(crumbs).toBe(`GPU work · ${name}`);
    await flame.getByRole('button', {name: `Range ${name}`}).click();
    await expect.poll(crumbs).toBe('GPU work');
  });

  it.each([
    ['Copy name', /^layer_\d$/],
    ['Copy path', /^ProfilerStep\*\/layer_\d$/],
    ['Copy as folded stacks', /^ProfilerStep\*;layer_\d;/],
  ])('has in a menu %s', async (item, text) => {
    await expect.poll(() => first(2)).toMatch(/^layer_\d /);
    await canvas().press('m');
    await flame.getByRole('menuitem', {name: item, exact: true}).click();
    const search = flame.getByLabel('Search names');
    await expect
      .poll(async () => {
        // What was copied may come after the menu has gone.
        await search.fill('');
        await search.focus();
        await workbench.page.keyboard.press('Control+V');
        return search.inputValue();
      })
      .toMatch(text);
    await search.press('Escape');
  });

  it('goes to the line that opens the range of a block, and says so where none does', async () => {
    await expect.poll(() => first(3)).toMatch(/^feed_forward /);
    await canvas().press('m');
    await flame.getByRole('menuitem', {name: 'Go to source'}).click();
    const cursor = workbench.page.locator('.statusbar-item', {hasText: /^Ln \d+/});
    await expect.poll(() => cursor.textContent()).toContain('Ln 3,');
    await workbench.page.locator('.tab.active', {hasText: 'model.py'}).waitFor();
    await workbench.command('GPU Lens: Show Flame Graph');
    flame = await workbench.webview('GPU Flame Graph');
    await expect.poll(() => first(2)).toMatch(/^layer_\d /);
    await canvas().press('m');
    await flame.getByRole('menuitem', {name: 'Go to source'}).click();
    await expect.poll(selected).toMatch(/^No file of this workspace opens "layer_\d"\.$/);
  });

  it('shows a block in the timeline', async () => {
    await canvas().focus();
    await canvas().press('ArrowDown');
    await canvas().press('m');
    await flame.getByRole('menuitem', {name: 'Show in timeline'}).click();
    const timeline = await workbench.webview('GPU Timeline', 'panel');
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toMatch(/^ampere_sgemm/);
  });

  it('saves what it shows', async () => {
    flame = await workbench.webview('GPU Flame Graph');
    await flame.getByRole('button', {name: 'Export'}).click();
    await flame.getByRole('menuitem', {name: 'PNG'}).click();
    await acceptProposedName(workbench.page, 'model.flame.png');
    await expect.poll(selected).toBe('Saved as PNG.');
    const png = readFileSync(join(workbench.workspace, 'model.flame.png'));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
  });

  it.each(everydayThemes)('follows the theme %s', async theme => {
    await workbench.chooseTheme(theme, flame);
    await flame.getByLabel('Search names').fill('softmax');
    await workbench.screenshotAtRest(`flame-${themes[theme].webview}`);
  });
});
