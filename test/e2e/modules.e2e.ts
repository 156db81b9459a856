import type {Frame} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {kineto, kinetoText, type KinetoEvent} from '../support/kineto-events.js';
import {tick} from './support/tick.js';
import {Workbench} from './support/workbench.js';

/** A step of a net of four alike layers, as the runner records it without a tag. */
function profile(): string {
  const layers = [0, 1, 2, 3].flatMap((layer): KinetoEvent[] => [
    kineto.op(`nn.Module: Net.layers.${String(layer)}`, 10 + 100 * layer, 60),
    kineto.op(`nn.Module: Net.layers.${String(layer)}.mlp`, 15 + 100 * layer, 50),
    kineto.op('aten::mm', 20 + 100 * layer, 30),
    kineto.call(layer + 1, 30 + 100 * layer, 5),
    kineto.kernel(layer + 1, 40 + 100 * layer, 20 + layer),
  ]);
  return kinetoText([kineto.range('ProfilerStep#1', 0, 500), kineto.op('nn.Module: Net', 5, 450), ...layers], {
    deviceProperties: [{id: 0, name: 'A100'}],
  });
}

const sidecar = {
  sites: [],
  modules: [0, 1, 2, 3].map(layer => ({name: `nn.Module: Net.layers.${String(layer)}`, class: 'model.Block'})),
};

describe('the modules of a profile without tags', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {'run.pt.trace.json': profile(), 'run.meta.json': JSON.stringify(sidecar)},
      settings: {'gpuLens.profile': 'run.pt.trace.json'},
    });
    await workbench.page.locator('.statusbar-item', {hasText: 'run.pt.trace.json'}).waitFor({timeout: 60_000});
  });

  describe('in the flame graph', () => {
    let flame: Frame;
    const selected = () => flame.getByTestId('selection').textContent();
    const third = async () => {
      const canvas = flame.locator('canvas');
      await canvas.focus();
      await canvas.press('Home');
      for (let depth = 0; depth < 3; depth++) await canvas.press('ArrowDown');
      return selected();
    };

    it('lead from the model to its layers, which are one block', async () => {
      await workbench.command('GPU Lens: Show Flame Graph');
      flame = await workbench.webview('GPU Flame Graph');
      await expect.poll(() => flame.getByRole('navigation').textContent()).toMatch(/^GPU work/);
      await expect.poll(() => flame.getByRole('checkbox', {name: 'Modules'}).isChecked()).toBe(true);
      await expect.poll(() => flame.getByRole('checkbox', {name: 'Fold layers'}).isChecked()).toBe(true);
      await expect.poll(third).toMatch(/^nn\.Module: Net\.layers\.0…3 · GPU work 86\.0 µs .* · 4 folded into one/);
    });

    it('stand apart without folding, and go without their level', async () => {
      await tick(flame, 'Fold layers', false);
      await expect.poll(third).toMatch(/^nn\.Module: Net\.layers\.3 · GPU work 23\.0 µs /);
      await tick(flame, 'Modules', false);
      await expect.poll(third).toMatch(/^gemm /);
    });
  });

  it('are rows of a table, identical layers one with its class', async () => {
    await workbench.command('GPU Lens: Show Tables');
    const tables = await workbench.webview('GPU Tables');
    await tables.locator('[data-tab=modules]').click();
    const rows = tables.locator('.body .row');
    await expect.poll(() => rows.count()).toBe(3);
    // Long names are cut in their middle.
    await expect.poll(() => rows.nth(1).textContent()).toMatch(/^model\.Block.*0…3/);
  });
});
