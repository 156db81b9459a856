import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Frame} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {activeProfile, openedProfile} from './support/opened-profile.js';
import {commandByKeys, fileByKeys, tabTo} from './support/by-keys.js';
import {Workbench} from './support/workbench.js';

/** Kernels of the forward pass: operator, name, µs. Attention has two products around its softmax. */
const forward: readonly (readonly [range: string, operator: string, kernel: string, us: number])[] = [
  ['attention', 'aten::bmm', 'ampere_sgemm_128x64_tn', 200],
  ['attention', 'aten::softmax', 'void softmax_warp_forward<float, float, float, 10, false>(float*)', 120],
  ['attention', 'aten::bmm', 'ampere_sgemm_128x64_nn', 180],
  ['feed_forward', 'aten::addmm', 'ampere_sgemm_128x128_tn', 900],
  ['feed_forward', 'aten::gelu', 'void vectorized_elementwise_kernel<4, GeluFunctor<float>>(int)', 150],
];
const steps = 4;
const waitUs = 1500;

/** A training loop that waits for its data loader, with modules, Python stacks and memory. @param faster divides GPU time */
function program(faster = 1): object[] {
  const events: object[] = [];
  let [cpuUs, gpuUs, correlation, bytes] = [0, 0, 0, 1_000_000_000];
  const spanned = (make: (name: string, from: number, us: number) => object, name: string, inside: () => void) => {
    const from = cpuUs;
    inside();
    events.push(make(name, from, cpuUs - from));
  };
  const launch = (operator: string, name: string, us: number) => {
    const from = cpuUs;
    events.push(kineto.call(++correlation, from + 2, 6), kineto.op(operator, from, 12));
    cpuUs += 14;
    gpuUs = Math.max(gpuUs + 1, cpuUs);
    events.push({...kineto.kernel(correlation, gpuUs, us / faster), name});
    gpuUs += us / faster;
  };
  const allocate = (size: number) => {
    bytes += size;
    const args = {'Device Type': 1, 'Device Id': 0, Addr: 4096 * ++correlation, Bytes: size, 'Total Allocated': bytes};
    events.push({ph: 'i', cat: 'cpu_instant_event', name: '[memory]', pid: 100, tid: 100, ts: cpuUs, s: 't', args});
  };
  spanned(kineto.python, 'train.py(4): main', () => {
    for (let step = 1; step <= steps; step++) {
      spanned(kineto.range, `ProfilerStep#${String(step)}`, () => {
        spanned(kineto.range, 'enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__', () => {
          cpuUs += waitUs;
        });
        spanned(kineto.range, 'forward', () => {
          spanned(kineto.python, 'train.py(2): run_model', () => {
            spanned(kineto.op, 'nn.Module: Net_0', () => {
              for (const part of ['attention', 'feed_forward']) {
                spanned(kineto.range, part, () => {
                  spanned(kineto.op, `nn.Module: ${part === 'attention' ? 'Attention_0' : 'Mlp_0'}`, () => {
                    allocate(64_000_000);
                    for (const [of, operator, kernel, us] of forward) if (of === part) launch(operator, kernel, us);
                  });
                });
              }
            });
          });
        });
        spanned(kineto.range, 'backward', () => {
          launch('aten::mm', 'ampere_sgemm_128x128_nt', 1300);
          launch('aten::mm', 'ampere_sgemm_128x128_tn', 700);
          allocate(-128_000_000);
        });
        const end = Math.max(cpuUs, gpuUs);
        events.push({...kineto.call(++correlation, cpuUs, end - cpuUs), name: 'cudaStreamSynchronize'});
        cpuUs = end;
      });
    }
  });
  return events;
}

const members = {deviceProperties: [{id: 0, name: 'NVIDIA A100-SXM4-80GB'}]};
const train = 'def run_model(net):\n    return net\n\ndef main():\n    run_model(None)\n';

/** Twelve questions that people have; each takes at most two actions once a profile is open, with its summary. */
describe('a person asks', () => {
  let workbench: Workbench;
  let summary: Frame;
  const open = async () => {
    await workbench.command('GPU Lens: Show Summary');
    summary = await workbench.webview('GPU Summary');
    await summary.locator('table[aria-label=Kernels]').waitFor();
  };
  const rows = (table: string) => summary.locator(`table[aria-label="${table}"] tbody tr`);
  const ofPart = async (part: string) => {
    await summary.getByRole('combobox', {name: 'Work that counts'}).click();
    await summary.getByRole('option', {name: part, exact: true}).click();
  };

  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {'fp32.pt.trace.json': kinetoText(program(), members), 'train.py': train},
      settings: {'gpuLens.profile': 'fp32.pt.trace.json'},
      size: {width: 1500, height: 1000},
    });
    writeFileSync(join(workbench.workspace, 'bf16.pt.trace.json'), kinetoText(program(2), members));
    await openedProfile(workbench.page, 'fp32.pt.trace.json').waitFor();
    await open();
  });

  it('which kernel costs most in forward, and how often it is called', async () => {
    await ofPart('Range forward');
    await expect.poll(() => rows('Kernels').first().innerText()).toMatch(/sgemm_128x128_tn\s+3\.60 ms.*\s4\b/);
  });

  it('whether it is the same in backward', async () => {
    await ofPart('Range backward');
    await expect.poll(() => rows('Kernels').first().innerText()).toMatch(/sgemm_128x128_nt\s+5\.20 ms.*\s4\b/);
  });

  it('how softmax compares with the products of attention', async () => {
    await ofPart('Range attention');
    await expect.poll(() => rows('Kernels').count()).toBe(3);
    expect(await rows('Operators').allInnerTexts()).toEqual([
      expect.stringMatching(/bmm\s+1\.52 ms\s+76\.0 %/),
      expect.stringMatching(/softmax\s+480 µs\s+24\.0 %/),
    ]);
  });

  it('how long a step is and how sure, what is no matrix product, and why the GPU is idle', async () => {
    const headline = await summary.locator('[data-testid=headline]').innerText();
    expect(headline).toMatch(/a step\s+5\.0\d ms\s+median of 4, from 5\.0\d ms to 5\.0\d ms/);
    expect(headline).toContain('Idle: data loader');
    const parts = summary.locator('section', {hasText: 'In numbers'}).locator('tbody tr');
    const texts = (await parts.allInnerTexts()).map(text => text.replace(/\s+/g, ' ').trim());
    expect(texts.find(text => text.startsWith('Matrix products'))).toContain('3.28 ms');
    expect(texts.find(text => text.startsWith('Softmax'))).toContain('120 µs');
    expect(texts.find(text => text.startsWith('Elementwise'))).toContain('150 µs');
  });

  it('what waits for data', async () => {
    const finding = summary.locator('.findings li.high, .findings li.medium', {hasText: /data loader/i}).first();
    await finding.locator('summary').click();
    await expect.poll(() => finding.innerText()).toMatch(/ms/);
    await workbench.screenshotAtRest('questions-summary');
  });

  it('which layer', async () => {
    await ofPart('All work');
    // Work that no module launched is a row of its own.
    const modules = rows('Modules').filter({hasNotText: 'outside any module'});
    await expect.poll(() => modules.first().innerText()).toMatch(/Mlp_0\s+4\.20 ms/);
  });

  it('which line', async () => {
    const line = rows('Lines').filter({hasText: 'run_model'});
    await expect.poll(() => line.innerText()).toMatch(/train\.py:2 run_model\s+6\.20 ms/);
    await line.locator('vscode-button').last().click();
    await workbench.page.locator('.tab.active', {hasText: 'train.py'}).waitFor();
    await workbench.page.locator('.statusbar-item', {hasText: /^Ln [12],/}).waitFor();
    await workbench.screenshotAtRest('questions-line');
  });

  it('how much memory', async () => {
    await workbench.command('GPU Lens: Show Tables');
    const tables = await workbench.webview('GPU Tables');
    await tables.locator('[data-tab=memory-ranges]').click();
    await expect.poll(() => tables.locator('.body').innerText()).toMatch(/attention[^]*488 MiB/);
  });

  it('did bf16 help', async () => {
    await workbench.openFile('bf16.pt.trace.json');
    await openedProfile(workbench.page, 'bf16.pt.trace.json').waitFor();
    await workbench.command('GPU Lens: Compare Active Profile with…', 'fp32.pt.trace.json');
    const bodies = async () => {
      const texts = workbench.page.frames().map(frame => frame.locator('body').allTextContents());
      return (await Promise.all(texts.map(text => text.catch(() => [])))).flat();
    };
    await expect.poll(bodies).toContainEqual(expect.stringMatching(/3\.55 ms before, 1\.7\d ms after/));
    await workbench.screenshotAtRest('questions-compared');
  });

  it('for a picture of it, which is on the clipboard', async () => {
    await open();
    await summary.getByText('Copy as PNG').click();
    await expect.poll(() => summary.locator('.bar').first().innerText()).toContain('The picture: copied.');
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const types = () =>
      workbench.page.evaluate(async () => (await navigator.clipboard.read()).flatMap(item => [...item.types]));
    await expect.poll(types).toContain('image/png');
  });

  it('what stands in the way, in the side bar, and on the line', async () => {
    await workbench.sideBar('GPU Lens');
    const row = workbench.page.locator('.part.sidebar .monaco-list-row', {hasText: /data loader/i}).first();
    await row.waitFor();
    await workbench.screenshotAtRest('questions-findings');
  });

  it('where that is: the finding leads to its line', async () => {
    await workbench.command('GPU Lens: Show Summary');
    const summary = await workbench.webview('GPU Summary');
    const finding = summary.locator('.findings li', {hasText: /data loader/i}).first();
    await finding.locator('vscode-button', {hasText: /train\.py:\d+/}).click();
    await workbench.page.locator('.tab.active', {hasText: 'train.py'}).waitFor();
    await workbench.screenshot('questions-finding-line');
  });
});

describe('a person without a mouse', () => {
  const journey =
    'opens a profile, reads its summary, goes to a line and a finding, searches, reads a table and closes it';
  it(journey, async () => {
    const workbench = await Workbench.start({
      files: {'fp32.pt.trace.json': kinetoText(program(), members), 'train.py': train},
      size: {width: 1500, height: 1000},
    });
    const {page} = workbench;
    await commandByKeys(page, 'GPU Lens: Open Profile…');
    await fileByKeys(page, 'fp32.pt.trace.json');
    await openedProfile(page, 'fp32.pt.trace.json').waitFor();
    const toSummary = async () => {
      await commandByKeys(page, 'GPU Lens: Show Summary');
      const summary = await workbench.webview('GPU Summary');
      await summary.locator('.findings > ul > li').first().waitFor();
      return summary;
    };
    await tabTo(page, await toSummary(), /run_model.*: go to source$/);
    await page.keyboard.press('Enter');
    await page.locator('.tab.active', {hasText: 'train.py'}).waitFor();
    await page.locator('.statusbar-item', {hasText: /^Ln [12],/}).waitFor();

    await tabTo(page, await toSummary(), /Show in timeline$/);
    await page.keyboard.press('Enter');
    const timeline = await workbench.webview('GPU Timeline', 'panel');
    await timeline.locator('canvas').waitFor();
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toContain('duration');

    await commandByKeys(page, 'GPU Lens: Search Timeline');
    const search = timeline.getByRole('textbox', {name: 'Search names'});
    await expect
      .poll(() => search.evaluate(input => input === document.activeElement && document.hasFocus()))
      .toBe(true);
    await page.keyboard.type('feed_forward');
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toContain('feed_forward');
    await expect.poll(() => timeline.getByTestId('hits').textContent()).toMatch(/^1 of \d+$/);
    await page.keyboard.press('Enter');
    await expect.poll(() => timeline.getByTestId('hits').textContent()).toMatch(/^2 of \d+$/);
    await page.keyboard.press('Escape');

    await commandByKeys(page, 'GPU Lens: Show Tables');
    const tables = await workbench.webview('GPU Tables');
    const grid = tables.getByRole('grid');
    const active = () => grid.locator('.body .row.active').getAttribute('aria-rowindex');
    await expect.poll(active).toBe('2');
    await tabTo(page, tables, /^grid /);
    await page.keyboard.press('ArrowDown');
    await expect.poll(active).toBe('3');

    await commandByKeys(page, 'GPU Lens: Close Profile');
    await activeProfile(page, 'fp32.pt.trace.json').waitFor({state: 'detached'});
  });
});
