import type {Frame, Locator} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {gutterPx, overviewPx, rulerPx, stepsPx} from '../../webview/timeline/timeline-state.js';
import {groupHeightPx} from '../../src/core/layout/timeline-rows.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {pictureAtRest} from './support/rest.js';
import {Workbench} from './support/workbench.js';

const [one, two] = ['one.pt.trace.json', 'two.pt.trace.json'] as const;

/** Where the range of the first one is opened: in line 6. */
const source = `from torch.profiler import record_function


def attend(x):
    # The range of the trace.
    with record_function("attention"):
        return x
`;

/** Four steps, each with a range and its kernel. */
function trace(name: string): string {
  const events = [0, 1, 2, 3].flatMap(step => [
    kineto.range(`ProfilerStep#${String(step)}`, 2000 * step, 1990),
    kineto.range(name, 2000 * step + 10, 80),
    kineto.call(step + 1, 2000 * step + 20, 5),
    kineto.kernel(step + 1, 2000 * step + 300, 900),
  ]);
  return kinetoText(events, {deviceProperties: [{id: 0, name: 'NVIDIA H100'}]});
}

describe('how a profile was looked at', () => {
  let workbench: Workbench;
  let timeline: Frame;
  let canvas: Locator;

  const find = async (file: string) => {
    timeline = await workbench.webview('GPU Timeline', 'panel');
    canvas = timeline.locator('canvas');
    await timeline.locator('.title', {hasText: file}).waitFor();
  };

  beforeAll(async () => {
    workbench = await Workbench.start({files: {[one]: trace('attention'), [two]: trace('mlp'), 'model.py': source}});
    await workbench.openFile(one);
    await workbench.command('GPU Lens: Show Timeline');
    await find(one);
  });

  /** The keys of the workbench's own, Escape among them, are not the timeline's. */
  const leave = () => workbench.page.locator('.part.sidebar .composite.title').click();
  const filter = () => timeline.getByLabel('Filter tracks');
  /** Everything that is restored, in words, and the picture. */
  const seen = async () => ({
    window: await timeline.getByTestId('window').textContent(),
    selection: await timeline.getByTestId('selection').textContent(),
    filter: await filter().inputValue(),
    area: await timeline.getByTestId('area').locator('.muted').first().textContent(),
    picture: (await canvas.screenshot()).toString('base64'),
  });

  let before: Awaited<ReturnType<typeof seen>>;

  it('is arranged: a window, a selection, marks, a measure, an area over a stream, a filter', async () => {
    await filter().fill('gpu');
    await canvas.focus();
    await canvas.press('j');
    await canvas.press('j');
    await canvas.press('j');
    await canvas.press('.');
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toContain('Stream 7');
    await canvas.press('m');
    await canvas.press('Home');
    await canvas.press('w');
    const box = await canvas.boundingBox();
    if (!box) throw new Error('The timeline has no place on the screen.');
    const drag = async (fromX: number, toX: number, y: number) => {
      await workbench.page.mouse.move(box.x + gutterPx + fromX, box.y + y);
      await workbench.page.mouse.down();
      await workbench.page.mouse.move(box.x + gutterPx + toX, box.y + y, {steps: 4});
      await workbench.page.mouse.up();
    };
    await drag(200, 400, overviewPx + rulerPx / 2);
    await drag(100, 300, overviewPx + rulerPx + stepsPx + groupHeightPx + 54);
    await expect
      .poll(() => timeline.getByTestId('area').locator('.muted').first().textContent())
      .toContain('GPU 0, stream 7 busy');
    await leave();
    await pictureAtRest(canvas);
    before = await seen();
    await workbench.screenshot('timeline-restored-before');
    expect(before.filter).toBe('gpu');
  });

  const isAsBefore = async (name: string) => {
    await find(one);
    await leave();
    await expect.poll(async () => (await seen()).area).toBe(before.area);
    await expect.poll(async () => ({...(await seen()), picture: ''})).toEqual({...before, picture: ''});
    await workbench.screenshot(name);
    await expect.poll(async () => (await seen()).picture === before.picture).toBe(true);
  };

  it('is there again after the view was hidden', async () => {
    await workbench.command('View: Toggle Panel Visibility');
    await expect.poll(() => workbench.page.locator('.part.panel').isVisible()).toBe(false);
    await workbench.command('View: Toggle Panel Visibility');
    await isAsBefore('timeline-restored-hidden');
  });

  it('is there again after another profile was shown, which had none of it', async () => {
    await workbench.openFile(two);
    await find(two);
    expect(await filter().inputValue()).toBe('');
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toContain('Click a slice');
    expect(await timeline.getByTestId('area').isVisible()).toBe(false);
    await workbench.openFile(one);
    await isAsBefore('timeline-restored-switched');
  });

  it('is there again after the window was loaded again', async () => {
    await workbench.reload();
    await workbench.openFile(one);
    await isAsBefore('timeline-restored-reloaded');
  });

  it('leads from a slice to its line, by "Go to source"', async () => {
    await canvas.focus();
    await canvas.press('/');
    const input = timeline.getByRole('textbox', {name: 'Search names'});
    await input.fill('attention');
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toContain('attention · start ');
    await input.press('Escape');
    await timeline.getByTestId('context').getByRole('button', {name: 'Go to source'}).click();
    await workbench.page.locator('.tab.active', {hasText: 'model.py'}).waitFor();
    await workbench.page.locator('.statusbar-item', {hasText: 'Ln 6, '}).waitFor();
    await workbench.screenshot('timeline-source');
  });

  it('opens what hides the range that a line leads to, and says so', async () => {
    const uncovered = () => timeline.getByTestId('uncovered').textContent();
    await workbench.codeLenses();
    await filter().fill('stream');
    await workbench.clickCodeLens('GPU ');
    await expect.poll(uncovered).toBe('filter cleared');
    expect(await filter().inputValue()).toBe('');
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toContain('attention · start ');
    // Down to the row of the thread, whichever was chosen before.
    const row = async () => (await timeline.getByTestId('focused-row').textContent()) ?? '';
    await canvas.focus();
    await canvas.press('j');
    for (let step = 0; step < 9 && !(await row()).startsWith('thread '); step++) await canvas.press('j');
    await canvas.press('o');
    await expect.poll(row).toMatch(/^thread .*, folded$/);
    await workbench.clickCodeLens('GPU ');
    await expect.poll(uncovered).toBe('row opened');
    await workbench.screenshot('timeline-uncovered');
  });
});
