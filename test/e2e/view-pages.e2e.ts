import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Browser, BrowserContextOptions, Page} from 'playwright-core';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {madeViews, type MadeView} from '../support/made-views.js';
import {compactTree} from './support/compact-tree.js';
import {launchBrowser, waitLonger} from './support/own-browser.js';
import {cutOff, ownColors} from './support/sight.js';
import {unspeakable} from './support/spoken-tree.js';
import {openView} from './support/view-page.js';

const folder = mkdtempSync(join(tmpdir(), 'gpu-lens-view-pages-'));
let browser: Browser;
let views: readonly MadeView[];

beforeAll(async () => {
  browser = await launchBrowser();
  views = await madeViews(folder);
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, {recursive: true});
});

/** What `look` finds in each view's page, by the view's bundle. */
async function ofEachView<T>(options: BrowserContextOptions, look: (page: Page) => Promise<T>): Promise<[string, T][]> {
  const context = waitLonger(await browser.newContext(options));
  const found: [string, T][] = [];
  for (const view of views) {
    const page = await openView(context, view);
    found.push([view.bundle, await look(page)]);
    if (process.env['GPU_LENS_SCREENSHOTS'] === '1')
      await page.screenshot({
        path: join(
          root,
          'test',
          'e2e',
          'out',
          `page-${options.forcedColors === 'active' ? 'forced' : 'zoomed'}-${view.bundle}.png`,
        ),
      });
    await page.close();
  }
  await context.close();
  return found;
}

const clean = () => views.map(({bundle}): [string, string[]] => [bundle, []]);

it('every view says to a screen reader what test/e2e/trees has', async () => {
  const size = {width: 1000, height: 700};
  for (const [bundle, tree] of await ofEachView({viewport: size}, page => page.locator('body').ariaSnapshot()))
    await expect(compactTree(tree)).toMatchFileSnapshot(`trees/${bundle}.yaml`);
});

it('what a screen reader could not tell is found', async () => {
  const page = waitLonger(await browser.newPage());
  const facts =
    '<div aria-live="polite" title="gemm" style="display: flex"><span>gemm</span> <span>start 1 ms</span></div>';
  await page.setContent(`<main><h1 aria-live="polite">Title</h1><div tabindex="0">10 ms</div>${facts}</main>`);
  expect(await unspeakable(page)).toEqual([
    'focus on generic ""',
    '"gemm" is read twice',
    '"gemm" touches "start 1 ms"',
  ]);
  await page.close();
});

it('every view names what can be focused, and keeps words apart that are read in one go', async () => {
  expect(await ofEachView({viewport: {width: 1000, height: 700}}, unspeakable)).toEqual(clean());
});

it('the timeline keeps the words apart of a selected slice, and of the list of keys, and tells the step that a key shows', async () => {
  const [timeline] = views.filter(({bundle}) => bundle === 'timeline');
  if (!timeline) throw new Error('There is a timeline.');
  const context = waitLonger(await browser.newContext({viewport: {width: 1000, height: 700}}));
  const page = await openView(context, timeline);
  await page.locator('canvas').first().focus();
  for (const key of ['j', 'j', 'j', '.']) await page.keyboard.press(key);
  await page.getByText('in flame graph').first().waitFor();
  expect(await unspeakable(page)).toEqual([]);
  await page.keyboard.press('n');
  await expect.poll(() => page.getByTestId('focused-row').textContent()).toBe('Step 4');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  expect(await unspeakable(page)).toEqual([]);
  await context.close();
});

it('the flame graph reads its list of keys, and gives the focus back', async () => {
  const flame = views.find(({bundle}) => bundle === 'flame');
  if (!flame) throw new Error('There is a flame graph.');
  const context = waitLonger(await browser.newContext({viewport: {width: 1000, height: 700}}));
  const page = await openView(context, flame);
  const canvas = page.locator('canvas').first();
  await canvas.focus();
  await page.keyboard.press('?');
  await page.locator('[role=dialog]:focus', {hasText: 'Move along the tree. '}).waitFor();
  expect(await unspeakable(page)).toEqual([]);
  await page.keyboard.press('?');
  await page.locator('canvas:focus').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await context.close();
});

it('every view takes the colours that the system forces, its pictures too, and shows which tab is chosen', async () => {
  const found = await ofEachView(
    {viewport: {width: 1000, height: 700}, forcedColors: 'active', colorScheme: 'light'},
    page => page.evaluate(ownColors),
  );
  expect(found).toEqual(clean());
});

it('every view has all its controls and texts in sight or in reach at 200 %, and room for rows', async () => {
  const found = await ofEachView({viewport: {width: 500, height: 350}, deviceScaleFactor: 2}, page =>
    page.evaluate(cutOff),
  );
  expect(found).toEqual(clean());
});

it('a view that waits stands still for who asked for less motion, and moves for others', async () => {
  const [query] = views.filter(({bundle}) => bundle === 'query');
  if (!query) throw new Error('There is a view of results.');
  const content = {state: 'running', profile: 'run', text: 'SELECT 1'};
  const motions = async (reducedMotion: 'reduce' | 'no-preference') => {
    const context = waitLonger(await browser.newContext({reducedMotion}));
    const page = await openView(context, {...query, content, says: 'SELECT 1'});
    const count = await page.locator('vscode-progress-ring').evaluate(ring => ring.shadowRoot?.getAnimations().length);
    await context.close();
    return count;
  };
  expect([await motions('no-preference'), await motions('reduce')]).toEqual([1, 0]);
});
