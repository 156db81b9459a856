import {join} from 'node:path';
import type {Frame, Page} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {run} from '../support/command-line.js';
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
    const preview = await previewOf(page, 'after.pt.trace.json compared with before.pt.trace.json');
    const text = await preview.locator('body').textContent();
    expect(text).toContain('Comparable.');
    expect(text).toMatch(/GPU work a step: 302 µs before, 322 µs after; \+20\.0 µs ± .*: slower\./);
    const attention = preview.locator('tr', {hasText: 'ProfilerStep#*/attention'}).locator('strong');
    expect(await attention.textContent()).toBe('slower');
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

  it('shows what stands in the way of the active profile, with the figures of the command line', async () => {
    await workbench.command('GPU Lens: Show Findings');
    const preview = await previewOf(workbench.page, 'Findings in after.pt.trace.json');
    const text = await preview.locator('body').textContent();
    const {stdout} = run('findings', join(workbench.workspace, 'after.pt.trace.json'));
    for (const [title] of stdout.matchAll(/(?<=^(?:high|medium|low) +)\S.*/gm)) expect(text).toContain(title);
    expect(text).toContain('The CPU launches too slowly for the GPU');
    await workbench.screenshot('findings');
  });

  it('shows what changes would bring, as the command line predicts it', async () => {
    await workbench.command('GPU Lens: What If…');
    const preview = await previewOf(workbench.page, 'What if? after.pt.trace.json');
    const {stdout} = run('whatif', join(workbench.workspace, 'after.pt.trace.json'), '--apply', 'launch-cost=0.5');
    const [, step, , low, high] = /^Predicted +(.*?) \((.*?)\), between (.*?) and (.*)$/m.exec(stdout) ?? [];
    const row = preview.locator('tr', {hasText: 'launch-cost=0.5'});
    await expect.poll(() => row.textContent()).toContain(`≈ ${step ?? '?'}`);
    expect(await row.textContent()).toContain(`${low ?? '?'} to ${high ?? '?'}`);
    await workbench.screenshot('what-if');
  });
});

/** The Markdown preview with a title. */
async function previewOf(page: Page, title: string): Promise<Frame> {
  let preview: Frame | undefined;
  const isPreview = async (frame: Frame) => {
    const heading = frame.locator('h1');
    return (await heading.textContent({timeout: 500}).catch(() => null)) === title;
  };
  const find = async () => {
    for (const frame of page.frames()) if (await isPreview(frame)) preview = frame;
    return preview;
  };
  await expect.poll(find, {timeout: 30_000}).toBeDefined();
  return preview ?? page.mainFrame();
}
