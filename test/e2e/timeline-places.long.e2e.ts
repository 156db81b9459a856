import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Frame, Locator} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {dataFolder, hasData} from '../support/real-data.js';
import {pictureAtRest, pictureOf} from './support/rest.js';
import {themeNames} from './support/themes.js';
import {Workbench} from './support/workbench.js';

// A real trace from elsewhere where there is one, with GPU work on a stream; else the sample's own.
const real = hasData
  ? join(dataFolder, 'kineto', 'ns-resolution-rank0.json.gz')
  : join(root, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
const [first, second] = ['first.pt.trace.json.gz', 'second.pt.trace.json'] as const;

/** Two ranges, each with its kernel. */
const events = ['attention', 'mlp'].flatMap((name, at) => [
  kineto.range(name, 2000 * at, 80),
  kineto.call(at + 1, 2000 * at + 20, 5),
  kineto.kernel(at + 1, 2000 * at + 300, 900),
]);

const source = `from torch.profiler import record_function


def block(x):
    with record_function("attention"):
        x = x + x
    with record_function("mlp"):
        return x * x
`;

describe('where the timeline is, and what it shows', () => {
  let workbench: Workbench;
  let timeline: Frame;
  let canvas: Locator;

  const find = async (place: 'editor' | 'panel') => {
    timeline = await workbench.webview('GPU Timeline', place);
    canvas = timeline.locator('canvas');
    await timeline.locator('.title').waitFor();
  };
  const title = () => timeline.locator('.title').textContent();
  const heightPx = async () => (await canvas.boundingBox())?.height ?? 0;

  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {
        [first]: readFileSync(real),
        [second]: kinetoText(events, {deviceProperties: [{id: 0, name: 'NVIDIA H100'}]}),
        'block.py': source,
      },
      settings: {'workbench.colorTheme': 'Dark Modern'},
    });
    await workbench.openFile('block.py');
    for (const file of [second, first]) await workbench.command('GPU Lens: Open Profile…', file);
    await workbench.command('GPU Lens: Show Timeline');
    await find('panel');
    await timeline.locator('.title', {hasText: first}).waitFor();
  });

  it('is of use in a panel of 200 px', async () => {
    const page = workbench.page;
    const panel = await page.locator('.part.panel').boundingBox();
    if (!panel) throw new Error('There is no panel.');
    const toTopPx = (box: {y: number; height: number} | null) =>
      box ? Math.abs(box.y + box.height / 2 - panel.y) : Infinity;
    const sashes = await page.locator('.monaco-sash.horizontal:not(.disabled)').all();
    const boxes = (await Promise.all(sashes.map(sash => sash.boundingBox()))).sort((a, b) => toTopPx(a) - toTopPx(b));
    const [box] = boxes;
    if (!box) throw new Error('The panel has no edge to drag.');
    const place = {x: box.x + box.width / 2, y: box.y + box.height / 2};
    await page.mouse.move(place.x, place.y);
    await page.mouse.down();
    await page.mouse.move(place.x, place.y + panel.height - 200, {steps: 8});
    await page.mouse.up();
    const size = async () => (await page.locator('.part.panel').boundingBox())?.height ?? 0;
    await expect.poll(async () => Math.abs((await size()) - 200) < 12).toBe(true);
    // The overview, the ruler, the steps and some rows.
    await expect.poll(heightPx).toBeGreaterThan(80);
    await canvas.focus();
    await canvas.press('j');
    await canvas.press('.');
    await pictureAtRest(canvas);
  });

  it.each(themeNames)('looks well there in the theme %s', async theme => {
    await workbench.chooseTheme(theme, timeline);
    await workbench.screenshotAtRest(`timeline-low-${theme.toLowerCase().replaceAll(' ', '-')}`);
  });

  it('shows its keys there, which can be scrolled', async () => {
    await canvas.focus();
    await canvas.press('?');
    const help = timeline.getByRole('dialog');
    await help.waitFor();
    await workbench.screenshot('timeline-low-keys');
    expect(await help.evaluate(box => box.scrollHeight > box.clientHeight)).toBe(true);
    await help.press('End');
    await expect.poll(() => help.evaluate(box => box.scrollTop)).toBeGreaterThan(0);
    await help.press('Escape');
  });

  it('can be maximised, and be small again', async () => {
    const low = await heightPx();
    await workbench.command('View: Toggle Maximized Panel');
    await expect.poll(heightPx).toBeGreaterThan(low + 200);
    await workbench.screenshot('timeline-maximised');
    await workbench.command('View: Toggle Maximized Panel');
    await expect.poll(heightPx).toBeLessThan(low + 5);
  });

  it('switches among the open profiles by its header', async () => {
    await timeline.locator('.title').click();
    await workbench.pick(second);
    await expect.poll(title).toBe(second);
    await expect.poll(() => timeline.locator('.bar').textContent()).toContain('GPU busy 1.80 ms');
  });

  it('dims all but the block that the cursor is in', async () => {
    const picture = () => pictureOf(canvas);
    await workbench.goToLine(1);
    await expect.poll(() => timeline.getByTestId('in-view').textContent()).toContain('mlp');
    const plain = await pictureAtRest(canvas);
    await workbench.goToLine(6);
    await expect.poll(async () => (await picture()) === plain).toBe(false);
    await workbench.screenshot('timeline-cursor');
    const attention = await picture();
    await workbench.goToLine(8);
    await expect.poll(async () => [plain, attention].includes(await picture())).toBe(false);
    await workbench.goToLine(1);
    await expect.poll(async () => (await picture()) === plain).toBe(true);
  });

  it('can be moved to the side bar', async () => {
    await workbench.command('View: Move View', 'GPU Timeline', 'New Side Bar Entry');
    await expect
      .poll(() => workbench.page.locator('.part.sidebar .composite.title').textContent())
      .toMatch(/timeline/i);
    await find('editor');
    await expect.poll(title).toBe(second);
    await workbench.screenshotAtRest('timeline-side-bar');
    // Each of its buttons is in sight.
    const bar = await timeline.locator('.bar').boundingBox();
    const rightPx = (bar?.x ?? 0) + (bar?.width ?? 0);
    for (const button of await timeline.locator('.bar > vscode-button').all()) {
      const place = await button.boundingBox();
      expect((place?.x ?? Infinity) + (place?.width ?? 0)).toBeLessThanOrEqual(rightPx);
    }
    await canvas.focus();
    const window = () => timeline.getByTestId('window').textContent();
    const before = await window();
    await canvas.press('w');
    await expect.poll(window).not.toBe(before);
  });
});
