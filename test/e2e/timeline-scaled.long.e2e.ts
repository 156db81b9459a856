import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import type {Frame, Locator} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {formatDuration} from '../../src/core/format/duration.js';
import type {TraceInfo} from '../../src/core/questions/info.js';
import {gutterPx, overviewPx, rulerPx} from '../../webview/timeline/timeline-state.js';
import {writeLargeTrace} from '../support/large-trace.js';
import {framesDrawn} from './support/rest.js';
import {Workbench} from './support/workbench.js';

const file = 'scaled.pt.trace.json';
/** Some 50,000 slices. */
const bytes = 13e6;

describe('the timeline of a scaled trace', () => {
  let workbench: Workbench;
  let timeline: Frame;
  let canvas: Locator;

  beforeAll(async () => {
    workbench = await Workbench.start({files: {'notes.txt': 'Notes\n'}});
    writeLargeTrace(join(workbench.workspace, file), bytes);
    await workbench.openFile(file);
    timeline = await workbench.webview('GPU Timeline');
    canvas = timeline.locator('canvas');
    await timeline.locator('.title', {hasText: file}).waitFor();
  });

  it('shows the figures of the command line', async () => {
    const args = [join(root, 'dist', 'cli.cjs'), 'info', join(workbench.workspace, file), '--format', 'json'];
    const {stdout} = spawnSync(process.execPath, args, {encoding: 'utf8'});
    const {gpu, spanNs, counts} = JSON.parse(stdout) as TraceInfo;
    expect(counts.kernels).toBeGreaterThan(9000);
    const bar = timeline.locator('.bar');
    await expect
      .poll(() => bar.textContent())
      .toContain(`${formatDuration(spanNs)} · GPU busy ${formatDuration(gpu.busyNs)}`);
    await workbench.screenshot('timeline-scaled');
  });

  it('says of a merged block how many slices it stands for', async () => {
    const box = await canvas.boundingBox();
    if (!box) throw new Error('The timeline has no place on the screen.');
    const selection = timeline.getByTestId('selection');
    const tooltip = timeline.getByRole('tooltip');
    const isOverMerged = async () =>
      (await tooltip.isVisible()) && /^[\d,]+ slices/.test((await tooltip.textContent()) ?? '');
    await expect.poll(() => timeline.getByTestId('in-view').locator('tbody tr').count()).toBeGreaterThan(0);
    // Down the rows to the first that has slices; a click on a heading would fold it.
    for (let y = overviewPx + rulerPx; y < 300 && !(await isOverMerged()); y += 6) {
      await workbench.page.mouse.move(box.x + gutterPx + 300, box.y + y);
      await framesDrawn(timeline);
    }
    await workbench.page.mouse.down();
    await workbench.page.mouse.up();
    expect(await selection.textContent()).toMatch(
      /^[\d,]+ slices of .* · \d+ % of this width busy · Zoom in to tell them apart$/,
    );
  });

  it('is blank in no frame while it leaps, zooms and pans', async () => {
    await canvas.focus();
    const blank = await timeline.evaluate(
      async names => {
        const canvas = document.querySelector('canvas');
        const context = canvas?.getContext('2d');
        if (!canvas || !context) throw new Error('There is no canvas.');
        const ratio = window.devicePixelRatio;
        /** Colours in the rows beside their names. */
        const colors = () => {
          const [x, y] = [names.gutterPx * ratio + 2, names.topPx * ratio];
          const {data} = context.getImageData(x, y, canvas.width - x - 1, Math.min(160 * ratio, canvas.height - y));
          const seen = new Set<number>();
          for (let at = 0; at < data.length; at += 4) {
            // Greys are the background, lines and names.
            const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3);
            if (Math.max(r, g, b) - Math.min(r, g, b) > 12) seen.add((r << 16) | (g << 8) | b);
          }
          return seen.size;
        };
        const frame = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 0)));
        const found: string[] = [];
        for (const key of 'wwwwwwddddddddddddaaaassssssHwwwwwwwwwwddddHwwwddddddssss') {
          canvas.dispatchEvent(new KeyboardEvent('keydown', {key: key === 'H' ? 'Home' : key, bubbles: true}));
          await frame();
          if (colors() === 0) found.push(key);
        }
        return found;
      },
      {gutterPx, topPx: 60},
    );
    expect(blank).toEqual([]);
  });

  it('finds names among all of them', async () => {
    await canvas.press('Home');
    await canvas.press('/');
    const input = timeline.getByRole('textbox', {name: 'Search names'});
    await input.fill('ampere_sgemm');
    await expect.poll(() => timeline.getByTestId('hits').textContent()).toMatch(/^1 of [\d,]{5,}$/);
    await expect
      .poll(() => timeline.getByTestId('selection').textContent())
      .toContain('ampere_sgemm_128x64_tn · start ');
    await input.press('Escape');
  });

  it('opens what hides a hit, and says so', async () => {
    const filter = timeline.getByLabel('Filter tracks');
    await filter.fill('stream');
    await canvas.focus();
    await canvas.press('/');
    const input = timeline.getByRole('textbox', {name: 'Search names'});
    await input.fill('aten::addmm');
    await expect
      .poll(() => timeline.getByTestId('hits').textContent())
      .toMatch(/^\d[\d,]* of [\d,]+ · filter cleared$/);
    expect(await filter.inputValue()).toBe('');
    await workbench.screenshot('timeline-scaled-hit');
    await input.press('Escape');
  });
});
