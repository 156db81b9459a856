import {join} from 'node:path';
import type {Frame, Locator} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {dataFolder, hasData} from '../support/real-data.js';
import {root} from '../../scripts/lib/run.mjs';
import {groupHeightPx} from '../../src/core/layout/timeline-rows.js';
import {gutterPx, overviewPx, rulerPx, stepsPx} from '../../webview/timeline/timeline-state.js';
import {falseOnTimeout} from './support/false-on-timeout.js';
import {framesDrawn, pictureAtRest, pictureOf, waitUntilRead} from './support/rest.js';
import {opensEveryTrace, Workbench} from './support/workbench.js';

/** A window as the timeline tells it, in ns. */
async function windowOf(timeline: Frame): Promise<{fromNs: number; toNs: number}> {
  const text = (await timeline.getByTestId('window').textContent()) ?? '';
  const units: Readonly<Record<string, number>> = {ns: 1, µs: 1e3, ms: 1e6, s: 1e9};
  const [from = NaN, to = NaN] = [...text.matchAll(/([\d.]+) (ns|µs|ms|s)/g)].map(
    ([, number, unit]) => Number(number) * (units[unit ?? ''] ?? NaN),
  );
  return {fromNs: from, toNs: to};
}

const widthOf = ({fromNs, toNs}: {fromNs: number; toNs: number}): number => toNs - fromNs;

// A real trace from elsewhere where there is one, with GPU work on a stream; else the sample's own.
const file = hasData ? 'ns-resolution-rank0.json.gz' : 'train.pt.trace.json.gz';
const folder = hasData ? join(dataFolder, 'kineto') : join(root, 'media', 'sample', 'profile');

describe('the timeline, by mouse and keyboard', () => {
  let workbench: Workbench;
  let timeline: Frame;
  let canvas: Locator;

  beforeAll(async () => {
    // So low that the rows can be scrolled.
    const size = {width: 1400, height: 520};
    workbench = await Workbench.start({
      folder,
      size,
      settings: {...opensEveryTrace, 'workbench.colorTheme': 'Dark Modern'},
    });
    await workbench.openFile(file);
    timeline = await workbench.webview('GPU Timeline');
    canvas = timeline.locator('canvas');
  });

  it('shows the whole trace at first, busy and idle time in its header', async () => {
    await waitUntilRead(timeline, file);
    await canvas.focus();
    expect((await windowOf(timeline)).fromNs).toBe(0);
    await workbench.screenshot('timeline-whole');
    if (hasData)
      await expect.poll(() => timeline.locator('.bar').textContent()).toContain('GPU busy 472 ms, idle 1.58 %');
  });

  it('zooms at the cursor with Ctrl and the wheel', async () => {
    const box = await canvas.boundingBox();
    if (!box) throw new Error('The timeline has no place on the screen.');
    const plotPx = box.width - gutterPx;
    const before = await windowOf(timeline);
    await workbench.page.mouse.move(box.x + gutterPx + plotPx / 2, box.y + 100);
    await workbench.page.keyboard.down('Control');
    for (let i = 0; i < 5; i++) await workbench.page.mouse.wheel(0, -120);
    await workbench.page.keyboard.up('Control');
    await expect.poll(async () => widthOf(await windowOf(timeline))).toBeLessThan(widthOf(before) / 2);
    const after = await windowOf(timeline);
    const middle = (before.fromNs + before.toNs) / 2;
    expect(Math.abs((after.fromNs + after.toNs) / 2 - middle)).toBeLessThan(widthOf(before) * 0.05);
    await workbench.screenshot('timeline-zoomed');
  });

  it('zooms at the fingers of a pinch, which comes as small turns of a wheel with Ctrl', async () => {
    await canvas.press('Home');
    const box = await canvas.boundingBox();
    if (!box) throw new Error('The timeline has no place on the screen.');
    const place = {x: Math.round(box.x + gutterPx + (box.width - gutterPx) / 4), y: Math.round(box.y + 100)};
    const atFingers = ({fromNs, toNs}: {fromNs: number; toNs: number}) => fromNs + (toNs - fromNs) / 4;
    const browser = await workbench.page.context().newCDPSession(workbench.page);
    const whole = await windowOf(timeline);
    const ctrl = 2;
    for (let part = 0; part < 40; part++) {
      const turn = {deltaX: 0, deltaY: (-100 * Math.log(2)) / 40, modifiers: ctrl};
      await browser.send('Input.dispatchMouseEvent', {type: 'mouseWheel', ...place, ...turn});
    }
    await expect.poll(async () => widthOf(await windowOf(timeline)) / widthOf(whole)).toBeCloseTo(0.5, 1);
    const half = await windowOf(timeline);
    expect(Math.abs(atFingers(half) - atFingers(whole))).toBeLessThan(widthOf(whole) * 0.02);
    // The same from a touchpad, as Chromium makes it of two fingers.
    await browser.send('Input.synthesizePinchGesture', {...place, scaleFactor: 2, gestureSourceType: 'mouse'});
    await expect.poll(async () => widthOf(await windowOf(timeline)) / widthOf(half)).toBeLessThan(0.7);
    const near = await windowOf(timeline);
    await browser.send('Input.synthesizePinchGesture', {...place, scaleFactor: 0.5, gestureSourceType: 'mouse'});
    await expect.poll(async () => widthOf(await windowOf(timeline)) / widthOf(near)).toBeGreaterThan(1.4);
    // The page itself is not zoomed by it.
    expect(await workbench.page.evaluate(() => window.visualViewport?.scale)).toBe(1);
    await browser.detach();
  });

  it.each([
    ['w', (before: number, after: number) => after < before],
    ['s', (before: number, after: number) => after > before],
    ['+', (before: number, after: number) => after < before],
    ['-', (before: number, after: number) => after > before],
  ])('zooms with %s', async (key, isRight) => {
    const before = widthOf(await windowOf(timeline));
    await canvas.press(key);
    await expect.poll(async () => isRight(before, widthOf(await windowOf(timeline)))).toBe(true);
  });

  it.each([
    ['d', 1],
    ['a', -1],
    ['ArrowRight', 1],
    ['ArrowLeft', -1],
  ])('pans with %s', async (key, direction) => {
    const before = (await windowOf(timeline)).fromNs;
    await canvas.press(key);
    await expect.poll(async () => Math.sign((await windowOf(timeline)).fromNs - before)).toBe(direction);
  });

  it('pans with Shift and the wheel, and with Shift and a drag', async () => {
    const box = await canvas.boundingBox();
    if (!box) throw new Error('The timeline has no place on the screen.');
    await workbench.page.mouse.move(box.x + 600, box.y + 100);
    const before = await windowOf(timeline);
    await workbench.page.keyboard.down('Shift');
    await workbench.page.mouse.wheel(0, 300);
    await expect.poll(async () => (await windowOf(timeline)).fromNs).toBeGreaterThan(before.fromNs);
    const panned = await windowOf(timeline);
    await workbench.page.mouse.down();
    await workbench.page.mouse.move(box.x + 800, box.y + 100, {steps: 5});
    await workbench.page.mouse.up();
    await workbench.page.keyboard.up('Shift');
    await expect.poll(async () => (await windowOf(timeline)).fromNs).toBeLessThan(panned.fromNs);
  });

  it('scrolls the tracks with the wheel, and leaves the window alone', async () => {
    const before = await windowOf(timeline);
    await canvas.hover({position: {x: 600, y: 100}});
    const picture = await pictureAtRest(canvas);
    await workbench.page.mouse.wheel(0, 200);
    await expect.poll(async () => (await pictureOf(canvas)) === picture).toBe(false);
    await pictureAtRest(canvas);
    expect(await windowOf(timeline)).toEqual(before);
    await workbench.screenshot('timeline-scrolled');
    await workbench.page.mouse.wheel(0, -2000);
  });

  it('shows name, start and duration of the slice under the mouse, and selects it on a click', async () => {
    await canvas.press('Home');
    await pictureAtRest(canvas);
    const box = await canvas.boundingBox();
    if (!box) throw new Error('The timeline has no place on the screen.');
    const tooltip = timeline.getByRole('tooltip');
    let x = 0;
    // The first lane of the first track: somewhere there is a slice.
    for (let step = 5; step < 95 && x === 0; step += 5) {
      const at = gutterPx + ((box.width - gutterPx) * step) / 100;
      await workbench.page.mouse.move(box.x + at, box.y + overviewPx + rulerPx + stepsPx + groupHeightPx + 10);
      await framesDrawn(timeline);
      // The name of a slice is drawn at once; its times are read from the engine.
      if (await tooltip.isVisible())
        await tooltip.locator('div').nth(1).waitFor({timeout: 20_000}).catch(falseOnTimeout);
      if ((await tooltip.isVisible()) && ((await tooltip.textContent()) ?? '').includes('duration')) x = at;
      // A zoom would hide the tooltip that was found.
      if (step !== 50 || x > 0) continue;
      await canvas.press('w');
      await pictureAtRest(canvas);
    }
    expect(x).toBeGreaterThan(0);
    expect(await tooltip.textContent()).toMatch(/Start .* · duration .*/);
    await workbench.screenshot('timeline-hover');
    await workbench.page.mouse.down();
    await workbench.page.mouse.up();
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toMatch(/ · start .* · duration .* · /);
    if (hasData) await expect.poll(() => timeline.getByTestId('arguments').textContent()).toMatch(/External id \d+/);
    const before = widthOf(await windowOf(timeline));
    await canvas.press('f');
    await expect.poll(async () => widthOf(await windowOf(timeline))).toBeLessThan(before);
    await workbench.screenshotAtRest('timeline-fit-selection');
    await canvas.press('Escape');
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toContain('W/S zoom');
  });

  it('has its window back after it was hidden', async () => {
    await canvas.press('Home');
    await canvas.press('w');
    await canvas.press('w');
    await pictureAtRest(canvas);
    const before = await windowOf(timeline);
    await workbench.command('File: New Untitled Text File');
    await workbench.page.locator('.tab.active', {hasText: 'Untitled'}).waitFor();
    await workbench.openFile(file);
    timeline = await workbench.webview('GPU Timeline');
    await expect.poll(() => windowOf(timeline)).toEqual(before);
  });
});
