import {readFileSync} from 'node:fs';
import type {Frame} from 'playwright-core';
import {beforeAll, describe, expect, inject, it} from 'vitest';
import {longTests} from '../support/long-tests.js';
import {hasSeeds, seedPath} from '../support/seeds.js';
import {suiteThemes, themes} from './support/themes.js';
import {Workbench} from './support/workbench.js';

const sweep = {
  sizes: [{name: 'tiny', dModel: 32, dFf: 128, layers: 2, heads: 2}],
  contextLengths: [16, 32],
  batches: [2],
  passes: ['forward', 'train'],
  precisions: ['fp32', 'bf16'],
  devices: ['cpu'],
  threads: 1,
  vocabulary: 200,
  warmupSteps: 3,
  steps: 5,
};
const bad = {
  commands: {
    good: ['python3', '-c', 'pass'],
    '<b>bold</b>': ['python3', '-c', 'raise SystemExit("<img src=x>")'],
    memory: ['python3', '-c', 'raise SystemExit("CUDA out of memory")'],
    endless: ['python3', '-c', 'import time; time.sleep(600)'],
  },
  warmupSteps: 1,
  steps: 3,
};

describe('Run benchmark', () => {
  let workbench: Workbench;
  let view: Frame;
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {
        'tiny.json': JSON.stringify(sweep),
        'bad.json': JSON.stringify(bad),
        ...(hasSeeds && {'seed-001.md': readFileSync(seedPath('001'), 'utf8')}),
      },
      settings: {'gpuLens.python': inject('python')},
    });
  });
  const rows = () => view.locator('.scroll > .grid-frame .body .row').count();
  const figures = () => view.locator('.scroll > .grid-frame .body .figure');
  const tab = (name: string) => view.getByRole('tab', {name});
  const run = async (file: string) => {
    await workbench.command('GPU Lens: Run Benchmark…', 'A sweep in a file…', file);
  };

  it('says that there is none yet', async () => {
    await workbench.command('GPU Lens: Show Benchmarks');
    view = await workbench.webview('GPU Benchmark');
    await expect.poll(() => view.locator('.message').textContent()).toContain('No benchmark has been run');
    await workbench.screenshot('benchmark-empty');
  });

  it('measures a sweep and shows results as they come', async () => {
    await run('tiny.json');
    await expect.poll(() => view.getByTestId('progress').textContent()).toMatch(/^\d+ of 8 points/);
    await expect.poll(rows).toBeGreaterThan(0);
    await workbench.screenshot('benchmark-running');
    await expect.poll(() => view.locator('.progress-line').isHidden(), {timeout: 500_000}).toBe(true);
    await expect.poll(rows).toBe(2);
    expect(await view.locator('.body .problem').count()).toBe(0);
  }, 700_000);

  it('compares precisions, by keyboard, and copies the table', async () => {
    await tab('By precision').click();
    const titles = () => view.locator('.head .head-title').allTextContents();
    await expect.poll(async () => (await titles()).join(' ')).toContain('fp32 bf16 Difference % Change');
    await view.locator('.body .cell').first().click();
    await workbench.page.keyboard.press('ArrowRight');
    await workbench.page.keyboard.press('ArrowRight');
    await workbench.page.keyboard.press('ArrowDown');
    await workbench.page.keyboard.press('Enter');
    await expect.poll(() => view.locator('.point-heading').textContent()).toContain('tiny, context 32');
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await view.getByText('Copy as Markdown').click();
    await expect.poll(() => view.getByTestId('said').textContent()).toBe('bf16 against fp32 (ms): copied.');
    await workbench.screenshot('benchmark-precision');
  });

  it('shows the steps of a point with and without warm-up, curves, and what it was measured in', async () => {
    await expect.poll(() => view.getByTestId('strips').locator('figure').count()).toBe(2);
    expect(await view.locator('.bar-mark.warmup').count()).toBe(3);
    expect(await view.locator('.bar-mark.measured').count()).toBe(10);
    await expect.poll(() => view.getByTestId('environment').textContent()).toContain('PyTorch');
    expect(await view.getByTestId('curves').locator('svg .curve').count()).toBe(6);
    await view.getByTestId('curves').scrollIntoViewIfNeeded();
    await workbench.screenshot('benchmark-curves');
    await tab('All points').click();
    await expect.poll(rows).toBe(8);
    await workbench.screenshot('benchmark-points');
  });

  it('takes a profile of a point, and opens it', async () => {
    await tab('Times').click();
    await figures().first().click();
    await view.getByText('Take profile').click();
    const timeline = await workbench.webview('GPU Timeline', 'panel');
    await expect.poll(() => timeline.locator('.title').first().textContent()).toContain('.pt.trace.json.gz');
    await workbench.screenshot('benchmark-profile');
    await expect.poll(() => view.getByText('Open profile').count()).toBe(1);
  });

  it('tells the data types of one step', async () => {
    await figures().nth(1).click();
    await view.getByText('Precision map').click();
    const map = view.getByTestId('precision').locator('.body .row');
    await expect.poll(() => map.filter({hasText: 'layers.N.attention.query'}).count()).toBe(1);
    expect(await map.filter({hasText: 'layers.N.attention.query'}).textContent()).toContain('bfloat16');
    await view.getByTestId('precision').scrollIntoViewIfNeeded();
    await workbench.screenshot('benchmark-precision-map');
  });

  it('goes on behind points that fail, names stay text, and a cancel keeps what there is', async () => {
    await run('bad.json');
    await expect.poll(() => view.getByTestId('progress').textContent()).toContain('endless');
    await expect.poll(rows).toBe(3);
    await view.locator('.progress-line').getByText('Cancel').click();
    await expect.poll(() => view.locator('.progress-line').isHidden()).toBe(true);
    const texts = await view.locator('.scroll > .grid-frame .body').textContent();
    for (const text of ['<b>bold</b>', 'crashed', 'out of memory']) expect(texts).toContain(text);
    await expect.poll(() => view.getByText('Go on').isVisible()).toBe(true);
    await workbench.screenshot('benchmark-failures');
  });

  const goBack = async () => {
    const kept = view.getByRole('combobox', {name: 'Benchmark', exact: true});
    await kept.selectOption({label: (await kept.locator('option', {hasText: 'tiny'}).first().textContent()) ?? ''});
    await tab('By precision').click();
    await figures().first().click();
    await expect.poll(() => view.getByTestId('strips').locator('figure').count()).toBe(2);
  };

  it('goes back to an earlier one', goBack);

  longTests(() => {
    it('has what was measured when the window is loaded again', async () => {
      await workbench.reload();
      await workbench.command('GPU Lens: Show Benchmarks');
      view = await workbench.webview('GPU Benchmark');
      await goBack();
    });
  });

  it.each(suiteThemes)('follows the theme %s', async theme => {
    await workbench.chooseTheme(theme, view);
    await view.getByTestId('strips').scrollIntoViewIfNeeded();
    await workbench.screenshot(`benchmark-${themes[theme].webview}`);
    await view.getByTestId('curves').scrollIntoViewIfNeeded();
    await workbench.screenshot(`benchmark-curves-${themes[theme].webview}`);
  });

  it.skipIf(!hasSeeds)('shows the tables of a text that somebody kept', async () => {
    await workbench.command('GPU Lens: Open Profile…', 'seed-001.md');
    await workbench.webview('GPU Tables');
    await workbench.command('GPU Lens: Show Benchmarks');
    view = await workbench.webview('GPU Benchmark');
    const set = view.getByRole('combobox', {name: 'Table of the text'});
    await set.selectOption({label: 'benchmark forward and backward pass with mixed precision (float16)'});
    await tab('By precision').click();
    await expect.poll(rows).toBe(16);
    await expect.poll(() => view.locator('.scroll > .grid-frame .body').textContent()).toContain('❌ Failed');
    await workbench.screenshot('benchmark-text');
    await set.selectOption({label: 'Samples'});
    await expect.poll(() => view.getByTestId('strips').locator('figure').count()).toBe(4);
    expect(await view.locator('.bar-mark.outlier').count()).toBeGreaterThanOrEqual(2);
    await workbench.screenshot('benchmark-samples');
  });
});
