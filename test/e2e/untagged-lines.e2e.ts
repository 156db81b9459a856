import {beforeAll, describe, expect, it} from 'vitest';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {Workbench} from './support/workbench.js';

const device = {deviceProperties: [{id: 0, name: 'A100'}]};
const model = `import torch

def attend(q):
    scores = q @ q
    return scores.softmax(-1)
`;
const launch = (id: number, ts: number, name: string) => [
  kineto.call(id, ts, 2),
  {...kineto.kernel(id, ts + 20, 10 * id), name},
];

describe('figures on lines without a tag', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    const sidecar = {sites: [], kind: 'lines', why: 'complete', steps: 1};
    workbench = await Workbench.start({
      files: {
        'model.py': model,
        'stacks.pt.trace.json': kinetoText(
          [kineto.python('model.py(3): attend', 0, 90), ...launch(1, 10, 'gemm_a')],
          device,
        ),
        'lines.pt.trace.json': kinetoText(
          [
            ...[kineto.op('model.py:4', 0, 30), ...launch(1, 5, 'gemm_a')],
            ...[kineto.op('model.py:5', 100, 30), ...launch(3, 105, 'softmax_b')],
          ],
          device,
        ),
        'lines.meta.json': JSON.stringify(sidecar),
      },
      settings: {'gpuLens.profile': 'stacks.pt.trace.json'},
    });
    await workbench.page.locator('.statusbar-item', {hasText: 'stacks.pt.trace.json'}).waitFor({timeout: 60_000});
    await workbench.openFile('model.py');
  });

  const texts = async () => (await workbench.codeLenses()).filter(text => text.includes('GPU'));

  it('are those of functions in Python stacks, and lead to the timeline', async () => {
    await expect.poll(texts).toEqual(['GPU 10.0 µs/call · 100 % · ×1']);
    await workbench.clickCodeLens('GPU 10.0 µs/call');
    const timeline = await workbench.webview('GPU Timeline', 'panel');
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toContain('model.py(3): attend');
    await workbench.screenshot('lines-stacks');
  });

  it('are those of calls in the profile of the line pass, and lead to their kernels', async () => {
    await workbench.openFile('lines.pt.trace.json');
    await workbench.page.locator('.statusbar-item', {hasText: 'lines.pt.trace.json'}).waitFor({timeout: 60_000});
    await workbench.openFile('model.py');
    await expect.poll(texts).toEqual(['GPU 10.0 µs/call · 25.0 % · ×1', 'GPU 30.0 µs/call · 75.0 % · ×1']);
    const buttons = workbench.page.locator('.codelens-decoration .codicon-table');
    await buttons.last().click();
    const tables = await workbench.webview('GPU Tables');
    const rows = tables.locator('.body .row');
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining('softmax_b')]);
    await workbench.screenshot('lines-calls');
  });
});
