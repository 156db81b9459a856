import type {Frame} from 'playwright-core';
import {expect, it} from 'vitest';
import {longTests} from '../support/long-tests.js';
import {twoRangeSteps} from '../support/two-range-steps.js';
import {openedProfile} from './support/opened-profile.js';
import {accessibilityViolations} from './support/accessibility.js';
import {findFrame} from './support/find-frame.js';
import {Workbench} from './support/workbench.js';

const [before, after] = ['before.pt.trace.json', 'after.pt.trace.json'];

it('shows the timelines of a comparison above each other, which move together until they are unlinked', async () => {
  const workbench = await Workbench.start({
    files: {
      [before]: twoRangeSteps(100),
      [after]: twoRangeSteps(120),
      '.vscode/settings.json': JSON.stringify({'gpuLens.profile': before}),
    },
  });
  const {page} = workbench;
  await openedProfile(page, before).waitFor();
  await workbench.openFile(after);
  await openedProfile(page, after).waitFor();
  await workbench.command('GPU Lens: Compare Active Profile with…', before);
  const comparison = await workbench.webview('GPU Comparison');
  await comparison.locator('vscode-button', {hasText: 'Show Both Timelines'}).click();
  const above = await linkedWith(workbench, after);
  const below = await linkedWith(workbench, before);
  const topOf = async (frame: Frame) => (await (await frame.frameElement()).boundingBox())?.y ?? NaN;
  expect(await topOf(above)).toBeLessThan(await topOf(below));

  // The first steps of both, which begin at the same time of their traces.
  const inSight = (frame: Frame) => frame.getByTestId('window').textContent();
  const first = await inSight(above);
  expect(await inSight(below)).toBe(first);
  const canvas = below.locator('.stage canvas');
  await canvas.press('n');
  await expect.poll(() => inSight(below)).not.toBe(first);
  await expect.poll(() => inSight(above)).toBe(await inSight(below));
  await page.keyboard.press('w');
  await page.keyboard.press('d');
  await expect.poll(async () => (await inSight(above)) === (await inSight(below))).toBe(true);
  const box = await canvas.boundingBox();
  if (!box) throw new Error('The canvas is drawn.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await workbench.screenshotAtRest('both-timelines');
  for (const frame of [above, below]) expect(await accessibilityViolations(frame)).toEqual([]);

  // Escape, where nothing is selected that it would take away first.
  await canvas.focus();
  await page.keyboard.press('Escape');
  for (const frame of [above, below]) await frame.getByTestId('link').waitFor({state: 'hidden'});
  const last = await inSight(above);
  await page.keyboard.press('n');
  await expect.poll(() => inSight(below)).not.toBe(last);
  expect(await inSight(above)).toBe(last);
});

longTests(() => {
  it('shows two steps of one profile, aligned at their starts, by the command; closing one ends the link', async () => {
    const workbench = await Workbench.start({files: {[before]: twoRangeSteps(100)}});
    const {page} = workbench;
    await workbench.openFile(before);
    await openedProfile(page, before).waitFor();
    const choices = ['Two Steps of This Profile…', 'Step 4', 'Step 6'];
    await workbench.command('GPU Lens: Compare Active Profile with…', ...choices);
    await workbench.webview('GPU Comparison');
    await workbench.command('GPU Lens: Show Both Timelines');
    const above = await linkedWith(workbench, `${before} step 6`);
    const below = await linkedWith(workbench, `${before} step 4`);
    await expect.poll(() => above.getByTestId('window').textContent()).toMatch(/^0\.9\d+ ms – 1\.9\d+ ms$/);
    await expect.poll(() => below.getByTestId('window').textContent()).toMatch(/^2\.9\d+ ms – 3\.9\d+ ms$/);
    // The lower one has the keyboard.
    const lower = page.locator('.editor-group-container', {has: page.locator('.tab')}).nth(1);
    await expect.poll(() => lower.getAttribute('class')).toMatch(/\bactive\b/);
    await workbench.command('View: Close Editor');
    await above.getByTestId('link').waitFor({state: 'hidden'});
  });
});

/** The timeline that is linked with another one, by what that is called. */
function linkedWith({page}: Workbench, name: string): Promise<Frame> {
  return findFrame(
    page,
    async textsOf => (await textsOf('[data-testid=link]')).includes(`Linked with ${name}`),
    `timeline that is linked with ${name}`,
  );
}
