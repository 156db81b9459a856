import {join} from 'node:path';
import type {Frame, Locator} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {groupHeightPx} from '../../src/core/layout/timeline-rows.js';
import {gutterPx, overviewPx, rulerPx, stepsPx} from '../../webview/timeline/timeline-state.js';
import {dataFolder, hasData} from '../support/real-data.js';
import {longTests} from '../support/long-tests.js';
import {keptState} from './support/kept-state.js';
import {waitUntilRead} from './support/rest.js';
import {everydayThemes} from './support/themes.js';
import {opensEveryTrace, Workbench} from './support/workbench.js';

// A real trace from elsewhere where there is one, with GPU work on a stream; else the sample's own.
const file = hasData ? 'ns-resolution-rank0.json.gz' : 'train.pt.trace.json.gz';
const folder = hasData ? join(dataFolder, 'kineto') : join(root, 'media', 'sample', 'profile');

describe('the tools of the timeline', () => {
  let workbench: Workbench;
  let timeline: Frame;
  let canvas: Locator;

  beforeAll(async () => {
    workbench = await Workbench.start({folder, settings: {...opensEveryTrace, 'workbench.colorTheme': 'Dark Modern'}});
    await workbench.openFile(file);
    timeline = await workbench.webview('GPU Timeline');
    canvas = timeline.locator('canvas');
    await waitUntilRead(timeline, file);
  });

  const windowText = async () => (await timeline.getByTestId('window').textContent()) ?? '';
  const drag = async (fromX: number, fromY: number, toX: number, toY: number) => {
    const box = await canvas.boundingBox();
    if (!box) throw new Error('The timeline has no place on the screen.');
    await workbench.page.mouse.move(box.x + fromX, box.y + fromY);
    await workbench.page.mouse.down();
    await workbench.page.mouse.move(box.x + toX, box.y + toY, {steps: 6});
    await workbench.page.mouse.up();
  };

  /** Loads the window again once it is kept how rows are arranged, and chooses the first row. */
  const loadAgain = async (arranged: '"pinned":["' | '"order":["') => {
    await expect.poll(() => keptState(workbench.page)).toContain(arranged);
    await workbench.reload();
    // Whichever editor VS Code has in front by then.
    await workbench.openFile(file);
    timeline = await workbench.webview('GPU Timeline');
    canvas = timeline.locator('canvas');
    await waitUntilRead(timeline, file);
    // What was chosen before is restored, as VS Code kept it last: that may be a while ago.
    await timeline.getByLabel('Filter tracks').fill('');
    await canvas.focus();
    // A slice, an area and a measure, one after the other.
    for (let things = 0; things < 3; things++) await canvas.press('Escape');
    await canvas.press('j');
  };

  it('finds slices by name, and goes on with Enter', async () => {
    await canvas.focus();
    await canvas.press('/');
    const input = timeline.getByRole('textbox', {name: 'Search names'});
    await input.fill('aten::');
    await expect.poll(() => timeline.getByTestId('hits').textContent()).toMatch(/^1 of [\d,]+$/);
    await input.press('Enter');
    await expect.poll(() => timeline.getByTestId('hits').textContent()).toMatch(/^2 of [\d,]+$/);
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toContain('aten::');
    await expect.poll(() => timeline.getByTestId('context').textContent()).toContain('like this');
    await workbench.screenshot('timeline-search');
    const found = timeline.getByTestId('found').getByRole('option');
    await expect.poll(() => found.count()).toBeGreaterThan(1);
    await input.press('ArrowDown');
    await input.press('Enter');
    const chosen = timeline.getByTestId('found').locator('[aria-selected=true]');
    const [name, count] = (await chosen.innerText()).split(/\s+×?/);
    await expect.poll(() => timeline.getByTestId('hits').textContent()).toMatch(new RegExp(` of ${count ?? ''}$`));
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toContain(`${name ?? ''} · start`);
    await workbench.screenshot('timeline-search-list');
    await input.fill('(');
    await timeline.getByLabel('Use a regular expression').first().click();
    await expect.poll(() => timeline.getByTestId('hits').textContent()).toContain('is not a regular expression');
    await input.press('Escape');
    expect(await input.isVisible()).toBe(false);
  });

  it('goes back on Escape to where the search began, and stays with the button', async () => {
    const window = () => timeline.getByTestId('window').textContent();
    const input = timeline.getByRole('textbox', {name: 'Search names'});
    const search = async () => {
      await canvas.press('/');
      await input.fill('aten::mm');
      await expect.poll(() => timeline.getByTestId('hits').textContent()).toMatch(/^[\d,]+ of /);
    };
    await canvas.focus();
    await canvas.press('w');
    await canvas.press('w');
    await canvas.press('w');
    await canvas.press('w');
    const before = await window();
    await search();
    await expect.poll(window).not.toBe(before);
    await input.press('Escape');
    await expect.poll(window).toBe(before);
    await search();
    await expect.poll(window).not.toBe(before);
    const there = await window();
    await timeline.getByLabel('Close and stay here').first().click();
    expect(await input.isVisible()).toBe(false);
    expect(await window()).toBe(there);
    await canvas.press('Home');
  });

  it('goes to the neighbours of a slice', async () => {
    const selection = () => timeline.getByTestId('selection').textContent();
    await canvas.press('/');
    const input = timeline.getByRole('textbox', {name: 'Search names'});
    await timeline.getByLabel('Use a regular expression').first().click();
    await input.fill(hasData ? 'cudaLaunchKernel' : 'aten::mm');
    await expect.poll(() => timeline.getByTestId('hits').textContent()).toMatch(/^[\d,]+ of /);
    // The button has begun a search, too, for what was there before.
    await expect.poll(selection).toContain(hasData ? 'cudaLaunchKernel' : 'aten::mm');
    await input.press('Escape');
    const first = await selection();
    await canvas.press('.');
    await expect.poll(selection).not.toBe(first);
    await canvas.press(',');
    await expect.poll(selection).toBe(first);
  });

  it.skipIf(!hasData)('goes along the flows of a slice to the GPU and back', async () => {
    const selection = () => timeline.getByTestId('selection').textContent();
    const first = await selection();
    await canvas.press(']');
    await expect.poll(selection).toContain('GPU 0');
    await workbench.screenshotAtRest('timeline-flow');
    await canvas.press('[');
    await expect.poll(selection).toBe(first);
  });

  it('follows the links of the details', async () => {
    const selection = () => timeline.getByTestId('selection').textContent();
    const context = timeline.getByTestId('context');
    const search = async (text: string) => {
      await canvas.press('/');
      const input = timeline.getByRole('textbox', {name: 'Search names'});
      await input.fill(text);
      // Said once the hit is shown: what was selected before may have the same name.
      await expect.poll(() => timeline.getByTestId('hits').textContent()).toMatch(/^[\d,]+ of /);
      await expect.poll(selection).toContain(text);
      return input;
    };
    // To what it lies in.
    await (await search(hasData ? 'cudaLaunchKernel' : 'aten::mm')).press('Escape');
    const around = context.locator('span button.link').first();
    await around.waitFor();
    const name = (await around.textContent()) ?? '';
    expect(name).not.toBe('');
    await around.click();
    await expect.poll(async () => (await selection())?.startsWith(`${name} · start `)).toBe(true);
    // How long those like it take.
    await context.getByRole('button', {name: 'Durations'}).click();
    const durations = timeline.getByTestId('durations');
    await expect.poll(() => durations.textContent()).toMatch(/This one takes .*: [\d,]+ take less, [\d,]+ take more\./);
    expect(await durations.locator('svg .own').count()).toBe(1);
    await workbench.screenshot('timeline-durations');
    await context.getByRole('button', {name: 'Durations'}).click();
    expect(await durations.isHidden()).toBe(true);
    // To those of its name.
    await context.getByRole('button', {name: / like this, /}).click();
    const input = timeline.getByRole('textbox', {name: 'Search names'});
    expect(await input.inputValue()).toBe(name);
    await expect.poll(() => timeline.getByTestId('hits').textContent()).toMatch(/^\d[\d,]* of [\d,]+$/);
    await input.press('Escape');
    // To the flame graph of a range.
    await (await search('ProfilerStep')).press('Escape');
    await context.getByRole('button', {name: 'Show in flame graph'}).click();
    const flame = await workbench.webview('GPU Flame Graph');
    await flame.locator('canvas').waitFor();
    await workbench.screenshot('timeline-links-flame');
    await workbench.openFile(file);
    timeline = await workbench.webview('GPU Timeline');
    canvas = timeline.locator('canvas');
    await timeline.locator('.title', {hasText: file}).waitFor();
    await canvas.focus();
    await canvas.press('Home');
  });

  it('tells what is inside an area that is marked by a drag', async () => {
    await canvas.press('Escape');
    await canvas.press('Home');
    await drag(gutterPx + 200, 140, gutterPx + 500, 300);
    const area = timeline.getByTestId('area');
    await area.waitFor();
    await expect.poll(() => area.locator('.body .row').count()).toBeGreaterThan(0);
    await workbench.screenshot('timeline-area');
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await area.getByLabel('Copy the table').first().click();
    const heads = await area.locator('.head .head-title').allTextContents();
    await expect
      .poll(() => workbench.page.evaluate(() => navigator.clipboard.readText()))
      .toContain(heads.map(head => head.trim()).join('\t'));
    await canvas.press('Escape');
    expect(await area.isVisible()).toBe(false);
  });

  it('measures on the ruler, and shows a part of the trace by the overview', async () => {
    const plain = await canvas.screenshot();
    await drag(gutterPx + 100, overviewPx + rulerPx / 2, gutterPx + 300, overviewPx + rulerPx / 2);
    await expect.poll(async () => plain.equals(await canvas.screenshot())).toBe(false);
    await workbench.screenshot('timeline-measured');
    const before = await windowText();
    await drag(gutterPx + 300, overviewPx / 2, gutterPx + 600, overviewPx / 2);
    await expect.poll(windowText).not.toBe(before);
    await canvas.press('Escape');
  });

  it('filters rows', async () => {
    const all = await canvas.screenshot();
    const filter = timeline.getByLabel('Filter tracks');
    await filter.fill('gpu');
    await expect.poll(async () => all.equals(await canvas.screenshot())).toBe(false);
    await workbench.screenshot('timeline-filtered');
    await filter.press('Escape');
    expect(await filter.inputValue()).toBe('');
  });

  it('pins a row by keys, and has it so after the window is loaded again', async () => {
    const row = () => timeline.getByTestId('focused-row').textContent();
    /** Walks past the headings, to a row that can be pinned. */
    const walk = async () => {
      await canvas.focus();
      // From the first row, whatever was measured and selected before.
      for (let steps = 0; steps < 3; steps++) await canvas.press('Escape');
      await canvas.press('j');
      const isHeading = async () => !/thread|stream/i.test((await row()) ?? '');
      for (let step = 0; step < 6 && (await isHeading()); step++) await canvas.press('j');
      return row();
    };
    const label = await walk();
    await canvas.press('t');
    // It is the first row now.
    await canvas.press('j');
    await canvas.press('k');
    await expect.poll(row).toBe(`${label ?? ''}, pinned`);
    await workbench.screenshot('timeline-pinned');
    await loadAgain('"pinned":["');
    await expect.poll(row).toBe('Pinned');
    await canvas.press('j');
    await expect.poll(row).toBe(`${label ?? ''}, pinned`);
    await canvas.press('t');
    await expect.poll(row).toBe(label);
  });

  longTests(() => {
    it('moves rows by keys and by a drag, tells where they are, and has them so after the window is loaded again', async () => {
      const row = async () => (await timeline.getByTestId('focused-row').textContent()) ?? '';
      for (let steps = 0; steps < 3; steps++) await canvas.press('Escape');
      await canvas.press('j');
      await expect.poll(row).not.toBe('');
      const first = await row();
      await canvas.press('o');
      await expect.poll(row).toBe(`${first}, folded`);
      await canvas.press('o');
      await expect.poll(row).toBe(first);
      await canvas.press('Alt+ArrowDown');
      await expect.poll(row).toMatch(`${first}, place 2 of `);
      await workbench.screenshot('timeline-moved');
      await loadAgain('"order":["');
      await expect.poll(row).not.toBe('');
      expect(await row()).not.toBe(first);
      await canvas.press('j');
      for (let steps = 0; steps < 60 && (await row()) !== first; steps++) await canvas.press('j');
      await canvas.press('Alt+ArrowUp');
      await expect.poll(row).toMatch(`${first}, place 1 of `);
      // By its heading, to the end of all rows.
      const [headingPx, endPx] = [overviewPx + rulerPx + stepsPx + groupHeightPx / 2, 5000];
      const box = await canvas.boundingBox();
      if (!box) throw new Error('The timeline has no place on the screen.');
      await workbench.page.mouse.move(box.x + 60, box.y + headingPx);
      await workbench.page.mouse.down();
      await workbench.page.mouse.move(box.x + 60, box.y + headingPx + 150, {steps: 5});
      await workbench.page.mouse.move(box.x + 60, box.y + endPx, {steps: 5});
      await workbench.screenshot('timeline-moving');
      await workbench.page.mouse.up();
      await expect.poll(row).toMatch(/, place (\d+) of \1$/);
      expect(await row()).toContain(first);
    });
  });

  it('moves a row by keys, and back', async () => {
    const row = timeline.getByTestId('focused-row');
    for (let steps = 0; steps < 3; steps++) await canvas.press('Escape');
    await canvas.press('j');
    await canvas.press('Alt+ArrowDown');
    await expect.poll(() => row.textContent()).toMatch(/, place 2 of /);
    await canvas.press('Alt+ArrowUp');
    await expect.poll(() => row.textContent()).toMatch(/, place 1 of /);
  });

  it('chooses rows, folds them and marks an area by keys alone', async () => {
    const row = timeline.getByTestId('focused-row');
    // From the first row, since the one that was moved last may be the last one.
    for (let steps = 0; steps < 3; steps++) await canvas.press('Escape');
    await canvas.press('j');
    await expect.poll(() => row.textContent()).not.toBe('');
    const label = await row.textContent();
    await canvas.press('o');
    await canvas.press('j');
    await expect.poll(() => row.textContent()).not.toBe(label);
    await canvas.press('k');
    await expect.poll(() => row.textContent()).toBe(`${label ?? ''}, folded`);
    await canvas.press('o');
    await canvas.press('r');
    await timeline.getByTestId('area').getByRole('tab').first().waitFor();
    await workbench.screenshot('timeline-keys-alone');
    await canvas.press('Escape');
    expect(await timeline.getByTestId('area').isVisible()).toBe(false);
  });

  it('shows its keys with ?', async () => {
    await canvas.press('?');
    const help = timeline.getByRole('dialog');
    await help.waitFor();
    expect(await help.textContent()).toContain('along a flow');
    await workbench.screenshot('timeline-keys');
    await help.press('Escape');
    expect(await help.isVisible()).toBe(false);
  });

  it('colours by name, range and class in turn, and says by which', async () => {
    const colorButton = timeline.getByRole('button', {name: /^Coloured by/});
    for (const coloring of ['name', 'range', 'class']) {
      await canvas.press('c');
      await expect.poll(() => colorButton.getAttribute('aria-label')).toContain(`Coloured by ${coloring}`);
      await workbench.screenshotAtRest(`timeline-colour-${coloring}`);
    }
  });

  it('tells screen readers what is in view', async () => {
    await expect.poll(() => timeline.getByTestId('in-view').locator('tbody tr').count()).toBeGreaterThan(3);
  });

  it.each(everydayThemes)('follows the theme %s', async theme => {
    await canvas.press('Home');
    await workbench.chooseTheme(theme, timeline);
    await workbench.screenshotAtRest(`timeline-${theme.toLowerCase().replaceAll(' ', '-')}`);
  });

  it('draws while it pans and zooms, and says how long a frame’s script takes', async () => {
    await canvas.focus();
    const times = await timeline.evaluate(async () => {
      const taken: number[] = [];
      const canvas = document.querySelector('canvas');
      const plain = window.requestAnimationFrame.bind(window);
      window.requestAnimationFrame = callback =>
        plain(atMs => {
          const begin = performance.now();
          callback(atMs);
          taken.push(performance.now() - begin);
        });
      for (const key of 'wwwwddddddddaaaassssssddddaaaawwwwssss') {
        canvas?.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
        // A key for every other frame.
        for (let frame = 0; frame < 2; frame++) await new Promise(resolve => plain(resolve));
      }
      window.requestAnimationFrame = plain;
      return taken.sort((a, b) => a - b);
    });
    const p95 = times[Math.floor(times.length * 0.95)] ?? NaN;
    process.stdout.write(`Script time of ${String(times.length)} frames: p95 ${p95.toFixed(1)} ms.\n`);
    expect(times.length).toBeGreaterThan(30);
  });
});
