import type {Frame} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {kineto, kinetoText, type KinetoEvent} from '../support/kineto-events.js';
import {openedProfile} from './support/opened-profile.js';
import {tick} from './support/tick.js';
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

/** A step of a net of four alike layers, as the runner records it without a tag. */
function layers(): string {
  const calls = [0, 1, 2, 3].flatMap((layer): KinetoEvent[] => [
    kineto.op(`nn.Module: Net.layers.${String(layer)}`, 10 + 100 * layer, 60),
    kineto.op(`nn.Module: Net.layers.${String(layer)}.mlp`, 15 + 100 * layer, 50),
    kineto.op('aten::mm', 20 + 100 * layer, 30),
    kineto.call(layer + 1, 30 + 100 * layer, 5),
    kineto.kernel(layer + 1, 40 + 100 * layer, 20 + layer),
  ]);
  return kinetoText([kineto.range('ProfilerStep#1', 0, 500), kineto.op('nn.Module: Net', 5, 450), ...calls], {
    deviceProperties: [{id: 0, name: 'A100'}],
  });
}

const layersSidecar = {
  sites: [],
  modules: [0, 1, 2, 3].map(layer => ({name: `nn.Module: Net.layers.${String(layer)}`, class: 'model.Block'})),
};

describe('a profile without tags', () => {
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
        'layers.pt.trace.json': layers(),
        'layers.meta.json': JSON.stringify(layersSidecar),
      },
      settings: {'gpuLens.profile': 'stacks.pt.trace.json'},
    });
    await openedProfile(workbench.page, 'stacks.pt.trace.json').waitFor();
    await workbench.openFile('model.py');
  });

  const texts = async () => (await workbench.codeLenses()).filter(text => text.includes('GPU'));

  it('has figures on the lines of functions in Python stacks, which lead to the timeline', async () => {
    await expect.poll(texts).toEqual(['GPU 10.0 µs/call · 100 % · ×1']);
    await workbench.clickCodeLens('GPU 10.0 µs/call');
    const timeline = await workbench.webview('GPU Timeline', 'panel');
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toContain('model.py(3): attend');
    await workbench.screenshot('lines-stacks');
  });

  describe('with modules', () => {
    beforeAll(async () => {
      await workbench.openFile('layers.pt.trace.json');
      await openedProfile(workbench.page, 'layers.pt.trace.json').waitFor();
    });
    describe('has them in the flame graph', () => {
      let flame: Frame;
      const selected = () => flame.getByTestId('selection').textContent();
      const third = async () => {
        const canvas = flame.locator('canvas');
        await canvas.focus();
        await canvas.press('Home');
        for (let depth = 0; depth < 3; depth++) await canvas.press('ArrowDown');
        return selected();
      };

      it('that lead from the model to its layers, which are one block', async () => {
        await workbench.command('GPU Lens: Show Flame Graph');
        flame = await workbench.webview('GPU Flame Graph');
        await expect.poll(() => flame.getByRole('navigation').textContent()).toMatch(/^GPU work/);
        await expect.poll(() => flame.getByRole('checkbox', {name: 'Modules'}).isChecked()).toBe(true);
        await expect.poll(() => flame.getByRole('checkbox', {name: 'Fold layers'}).isChecked()).toBe(true);
        await expect.poll(third).toMatch(/^nn\.Module: Net\.layers\.0…3 · GPU work 86\.0 µs .* · 4 folded into one/);
      });

      it('apart without folding, and not without their level', async () => {
        await tick(flame, 'Fold layers', false);
        await expect.poll(third).toMatch(/^nn\.Module: Net\.layers\.3 · GPU work 23\.0 µs /);
        await tick(flame, 'Modules', false);
        await expect.poll(third).toMatch(/^gemm /);
      });
    });

    it('has them as rows of a table, identical layers one with its class', async () => {
      await workbench.command('GPU Lens: Show Tables');
      const tables = await workbench.webview('GPU Tables');
      await tables.locator('[data-tab=modules]').click();
      const rows = tables.locator('.body .row');
      await expect.poll(() => rows.count()).toBe(3);
      // Long names are cut in their middle.
      await expect.poll(() => rows.nth(1).textContent()).toMatch(/^model\.Block.*0…3/);
    });
  });

  it('has figures on the lines of calls where the line pass made it, which lead to their kernels', async () => {
    await workbench.openFile('lines.pt.trace.json');
    await openedProfile(workbench.page, 'lines.pt.trace.json').waitFor();
    await workbench.openFile('model.py');
    await expect.poll(texts).toEqual(['GPU 10.0 µs/call · 25.0 % · ×1', 'GPU 30.0 µs/call · 75.0 % · ×1']);
    await workbench.clickLensButton('table', {at: -1});
    const tables = await workbench.webview('GPU Tables');
    const rows = tables.locator('.body .row');
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining('softmax_b')]);
    await workbench.screenshot('lines-calls');
  });
});
