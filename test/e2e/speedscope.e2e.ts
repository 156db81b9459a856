import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {Browser, Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {run} from '../support/command-line.js';
import {modelTrace} from '../support/model-trace.js';
import {speedscopePage} from '../support/speedscope-schema.js';
import {launchBrowser, waitLonger} from './support/own-browser.js';

const folder = mkdtempSync(join(tmpdir(), 'gpu-lens-speedscope-'));

/** What the page of speedscope shows of a file: its title, and by name what it sums up. */
interface Shown {
  readonly title: string;
  /** Name → total and self, as the page writes them. */
  readonly symbols: ReadonlyMap<string, readonly string[]>;
}

describe('a flame graph in the page of speedscope', () => {
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];
  beforeAll(async () => {
    writeFileSync(join(folder, 'model.json'), modelTrace(2, 3));
    browser = await launchBrowser();
    page = waitLonger(await browser.newPage({viewport: {width: 1400, height: 900}}));
    page.on('pageerror', error => faults.push(error.message));
    page.on('dialog', dialog => {
      faults.push(dialog.message());
      void dialog.dismiss();
    });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, {recursive: true, force: true});
  });

  /** Opens a file as the command line of speedscope does: a script that holds it, named by the address. */
  async function open(args: readonly string[], picture: string): Promise<Shown> {
    const file = join(folder, 'model.speedscope.json');
    expect(run('export', join(folder, 'model.json'), '--to', 'speedscope', '-o', file, ...args).status).toBe(0);
    const content = readFileSync(file).toString('base64');
    const script = join(folder, `${picture}.js`);
    writeFileSync(script, `speedscope.loadFileFromBase64('${picture}.json', '${content}');`);
    await page.goto('about:blank');
    await page.goto(`${pathToFileURL(join(speedscopePage, 'index.html')).href}#localProfilePath=${script}`);
    await expect.poll(() => page.title()).toContain('- speedscope');
    await page.screenshot({path: join(root, 'test', 'e2e', 'out', `speedscope-${picture}.png`)});
    await page.getByText('Sandwich').click();
    // The rows come a frame after their heading.
    await page.locator('tr').nth(1).waitFor();
    const rows = (await page.locator('tr').allInnerTexts()).map(row => row.split(/\s*[\t\n]\s*/));
    const symbols = rows.slice(1).map(([total = '', self = '', ...name]) => [name.join(' '), [total, self]] as const);
    return {title: await page.title(), symbols: new Map(symbols)};
  }

  // By hand: two steps of three layers, of 40 + layer, 15, 60 + 2 × layer and 12 µs.
  const kernels = ['372.00µs (48%)', '246.00µs (32%)', '90.00µs (12%)', '72.00µs (9.2%)'];
  const kernelNames = [
    ...['ampere_sgemm_128x128_tn', 'ampere_sgemm_128x64_tn'],
    ...['softmax_warp_forward', 'vectorized_elementwise_kernel'],
  ];

  it.each([
    ['merged', [], 'ProfilerStep*', '780.00µs (100%)'],
    ['folded', ['--fold'], 'layer_*', '780.00µs (100%)'],
    ['time', ['--mode', 'time'], 'ProfilerStep#1', '390.00µs (50%)'],
    ['inverted', ['--mode', 'inverted'], 'feed_forward', '444.00µs (57%)'],
  ])('has the sums of the profile: %s', async (picture, args, name, total) => {
    const {title, symbols} = await open(args, picture);
    expect(title).toBe('model.json - speedscope');
    expect(kernelNames.map(kernel => symbols.get(kernel)?.[0])).toEqual(kernels);
    expect(symbols.get(name)?.[0]).toBe(total);
    expect(faults).toEqual([]);
  });
});
