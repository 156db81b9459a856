import {join} from 'node:path';
import type {Frame} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {kinetoText} from '../support/kineto-events.js';
import {trainingProgram} from '../support/training-program.js';
import {Workbench} from './support/workbench.js';

const profile = 'gpu.pt.trace.json';
const trace = kinetoText(trainingProgram().events, {
  deviceProperties: [{id: 0, name: 'NVIDIA H100 80GB HBM3'}],
});

/** A sentence of English, where there should be none: three words of it in a row. */
const english = /\b[a-z]{2,} [a-z]{2,} [a-z]{2,}\b/;

describe('GPU Lens in a VS Code that is Chinese', () => {
  let workbench: Workbench;
  let summary: Frame;
  beforeAll(async () => {
    workbench = await Workbench.start({
      copyOf: join(root, 'media', 'sample'),
      files: {[profile]: trace},
      size: {width: 1400, height: 1000},
      language: 'zh-cn',
    });
  });

  it('says in Chinese what stands above lines', async () => {
    await workbench.openFile('model.py');
    const isMeasured = (text: string) => /^CPU [\d.]+ [µm]s\/step · 占该步的 .* · 此性能数据没有 GPU 工作$/.test(text);
    await expect.poll(async () => (await workbench.codeLenses()).filter(isMeasured).length).toBeGreaterThan(2);
    await workbench.screenshotAtRest('translated-lines');
  });

  it('sums a profile up in Chinese: figures of the engine, parts of the view, findings of the extension host', async () => {
    await workbench.command('GPU Lens: Show Summary');
    // Its page takes the focus when it has loaded, which would close the next list.
    await workbench.webview('GPU 摘要');
    await workbench.command('GPU Lens: Open Profile…', profile);
    summary = await workbench.webview('GPU 摘要');
    await summary.locator('table[aria-label="内核"]').waitFor();
    expect(await summary.locator('[data-testid=headline]').innerText()).toMatch(/GPU 忙碌时间[^]*空闲：数据加载器/);
    await summary.locator('.findings > ul > li').first().waitFor();
    expect(await summary.locator('.findings').innerText()).toContain('GPU 在等待数据加载器');
    await workbench.screenshotAtRest('translated-summary');
    expect((await summary.locator('.page').innerText()).split('\n').filter(line => english.test(line))).toEqual([]);
  });
});
