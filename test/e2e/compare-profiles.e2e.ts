import {join} from 'node:path';
import type {Frame} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {twoRangeSteps} from '../support/two-range-steps.js';
import {Workbench} from './support/workbench.js';

describe('Compare Active Profile with…', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start({
      copyOf: join(root, 'media', 'sample'),
      files: {
        'before.pt.trace.json': twoRangeSteps(100),
        'after.pt.trace.json': twoRangeSteps(120),
        '.vscode/settings.json': JSON.stringify({'gpuLens.profile': 'before.pt.trace.json'}),
      },
    });
  });

  it('asks for the other profile, and shows what changed', async () => {
    const {page} = workbench;
    await page.locator('.statusbar-item', {hasText: 'before.pt.trace.json'}).waitFor({timeout: 60_000});
    await workbench.openFile('after.pt.trace.json');
    await page.locator('.statusbar-item', {hasText: 'after.pt.trace.json'}).waitFor({timeout: 60_000});
    await workbench.command('GPU Lens: Compare Active Profile with…', 'before.pt.trace.json');
    const isPreview = async (frame: Frame) => {
      const title = await frame
        .locator('h1')
        .textContent({timeout: 500})
        .catch(() => null);
      return title === 'after.pt.trace.json compared with before.pt.trace.json';
    };
    let preview: Frame | undefined;
    const find = async () => {
      for (const frame of page.frames()) if (await isPreview(frame)) preview = frame;
      return preview !== undefined;
    };
    await expect.poll(find, {timeout: 30_000}).toBe(true);
    const text = await preview?.locator('body').textContent();
    expect(text).toContain('Comparable.');
    expect(text).toMatch(/GPU work a step: 302 µs before, 322 µs after; \+20\.0 µs ± .*: slower\./);
    const attention = preview?.locator('tr', {hasText: 'ProfilerStep#*/attention'}).locator('strong');
    expect(await attention?.textContent()).toBe('slower');
    await workbench.screenshot('compare-profiles');
  });

  it('keeps the active profile, and copies the page', async () => {
    const {page} = workbench;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page
      .locator('.notification-toast', {hasText: 'Compared after.pt.trace.json'})
      .getByText('Copy as Markdown')
      .click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('| ProfilerStep');
    expect(await page.locator('.statusbar-item', {hasText: 'after.pt.trace.json'}).count()).toBe(1);
  });
});
