import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Frame} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {dataFolder, hasData} from '../support/real-data.js';
import {smallModelTrace} from '../support/small-model-trace.js';
import {openedProfile} from './support/opened-profile.js';
import {acceptProposedName} from './support/quick-input.js';
import {everydayThemes, themes} from './support/themes.js';
import {Workbench} from './support/workbench.js';

const source = `from torch.profiler import record_function

def block(x, attention, mlp):
    with record_function("attention"):
        x = attention(x)
    with record_function("mlp"):
        return mlp(x)
`;
const qwen = 'qwen1.5-0.5b-h100.json.gz';

describe('the roofline and the estimate', () => {
  let workbench: Workbench;
  let frame: Frame;
  const rows = (label: string) => frame.locator(`[role=grid][aria-label="${label}"] .body .row`);
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {
        'model.py': source,
        'run.pt.trace.json': smallModelTrace(),
        // What stands behind the trace makes a note.
        'plain.pt.trace.json': `${smallModelTrace({hasShapes: false})}\n{}`,
        ...(hasData && {[qwen]: readFileSync(join(dataFolder, 'kineto', qwen))}),
      },
    });
    await workbench.command('GPU Lens: Show Roofline and Estimate');
    frame = await workbench.webview('Roofline and Estimate');
  });

  it('estimates without a profile', async () => {
    await frame.locator('[data-tab=estimate]').click();
    const summary = frame.locator('[data-testid=summary]');
    await expect
      .poll(() => summary.textContent())
      .toMatch(/^174 G weights on 4 GPUs · forward 700 ms, backward 1\.28 s/);
    expect(await frame.locator('.bars svg').count()).toBe(1);
    expect(await rows('MLP, one of 96 layers (TFLOP, GB, ms)').first().innerText()).toMatch(/^fc1\s+0\.618475\s/);
    await workbench.screenshot('estimate');
    await frame.locator('input[aria-label=tensor]').fill('5');
    await expect.poll(() => summary.textContent()).toBe('hidden (49152) must be a multiple of tensor parallelism (5).');
    await frame.locator('.estimate select[aria-label=Model]').selectOption('mixtral-8x7b');
    await frame.locator('input[aria-label=tensor]').fill('2');
    await frame.locator('input[aria-label=sequence]').fill('2');
    await frame.locator('input[aria-label=expert]').fill('4');
    await expect.poll(() => summary.textContent()).toMatch(/ on 8 GPUs · /);
    expect(await rows('Experts, one of 32 layers (TFLOP, GB, ms)').nth(2).innerText()).toMatch(/^dispatch/);
    await workbench.screenshot('estimate-experts');
  });

  it('draws the operators of a profile under the roofs of its GPU, and goes to the source by the keyboard', async () => {
    await workbench.command('GPU Lens: Open Profile…', 'run.pt.trace.json');
    await openedProfile(workbench.page, 'run.pt.trace.json').waitFor();
    await workbench.command('GPU Lens: Show Roofline and Estimate');
    frame = await workbench.webview('Roofline and Estimate');
    await frame.locator('[data-tab=roofline]').click();
    await expect.poll(() => frame.locator('.chart .mark').count()).toBe(5);
    expect(await frame.locator('.chart svg').textContent()).toContain('bf16 products 989 TFLOP/s');
    expect(await frame.locator('[data-testid=coverage]').textContent()).toContain('100 % of GPU work has shapes');
    await frame.getByRole('tree', {name: 'Roofline.'}).focus();
    await workbench.page.keyboard.press('End');
    const selection = frame.locator('[data-testid=selection]');
    await expect.poll(() => selection.textContent()).toMatch(/^aten::addmm · \[\d+\].*FLOP\/B.*of its roof$/);
    await workbench.screenshot('roofline');
    await workbench.page.keyboard.press('Enter');
    await workbench.page.locator('.tab.active', {hasText: 'model.py'}).waitFor();
    await workbench.page.locator('.view-line', {hasText: 'record_function("mlp")'}).waitFor();
  });

  it('compares layers of a model with what was predicted, found by their shapes', async () => {
    await workbench.command('GPU Lens: Show Roofline and Estimate');
    frame = await workbench.webview('Roofline and Estimate');
    await frame.locator('[data-tab=layers]').click();
    await frame.getByText('Choose a model: its layers are found by their shapes.').waitFor();
    const choice = frame.locator('.view select[aria-label=Model]');
    await expect.poll(() => choice.locator('option').nth(1).textContent()).toBe('bert-small (its shapes are here)');
    await choice.selectOption('bert-small');
    await expect.poll(() => rows('Layers').count()).toBe(5);
    // A name that is shown short is whole in its title.
    expect(await rows('Layers').first().locator('.cell').first().getAttribute('title')).toBe(
      'qkv_proj (queries) or qkv_proj (keys, values) or v_proj',
    );
    expect(await rows('Layers').first().innerText()).toMatch(/^qkv_proj[^]*v_proj\s+forward\s[^]*aten::addmm/);
    await workbench.screenshot('roofline-layers');
    await frame.locator('[data-tab=steps]').click();
    await expect.poll(() => rows('Steps').count()).toBe(2);
    expect(await frame.locator('[data-testid=coverage]').textContent()).toContain(
      'MFU = Σ (FLOP of products ÷ peak of their precision) ÷ (duration × GPUs)',
    );
    await workbench.screenshot('roofline-steps');
  });

  it('sets the model’s layers beside what ran, in another shape, with what is predicted', async () => {
    await frame.locator('[data-tab=roofline]').click();
    await expect.poll(() => frame.locator('.chart .mark.shapes').count()).toBe(5);
    expect(await frame.locator('.chart .mark.model').count()).toBe(5);
    expect(await frame.locator('.chart .prediction').count()).toBe(5);
    expect(await frame.locator('.chart svg').textContent()).toContain('from the model, up to what it predicts');
    expect(await rows('Points').filter({hasText: 'fc2 (forward)'}).innerText()).toMatch(/the model\s+bf16\s+2\s/);
    await workbench.screenshot('roofline-model-layers');
  });

  it('is of a step or a window, and says where nothing is in it', async () => {
    const choose = async (list: string, choice: string) => {
      await frame.getByRole('combobox', {name: list}).click();
      await frame.getByRole('option', {name: choice, exact: true}).click();
    };
    const fc2 = rows('Points').filter({hasText: 'fc2 (forward)'});
    await choose('Step', 'Step 2');
    await expect.poll(() => fc2.innerText()).toMatch(/bf16\s+1\s/);
    await workbench.screenshot('roofline-step');
    await choose('Step', 'All steps');
    await expect.poll(() => fc2.innerText()).toMatch(/bf16\s+2\s/);
    await frame.getByLabel('Time window').fill('0-1 us');
    await frame.getByLabel('Time window').press('Enter');
    await frame.getByText('Nothing in this selection has shapes that tell its cost.').waitFor();
    await frame.getByRole('button', {name: /✕$/}).click();
    await expect.poll(() => frame.locator('.chart .mark').count()).toBe(10);
  });

  it('saves the chart as SVG', async () => {
    await frame.locator('[data-tab=roofline]').click();
    await frame.getByRole('button', {name: 'Save as SVG'}).click();
    await acceptProposedName(workbench.page, 'roofline.svg');
    const path = join(workbench.workspace, 'roofline.svg');
    await expect.poll(() => svgAt(path)).toMatch(/^<\?xml[^]*<svg [^]*bf16 products[^]*<\/svg>\n$/);
  });

  it('takes operations from the model that was chosen where no shapes are recorded, and says so', async () => {
    await workbench.command('GPU Lens: Open Profile…', 'plain.pt.trace.json');
    await openedProfile(workbench.page, 'plain.pt.trace.json').waitFor();
    await workbench.command('GPU Lens: Show Roofline and Estimate');
    frame = await workbench.webview('Roofline and Estimate');
    await frame.getByText('This profile has no shapes of operators.').waitFor();
    expect(await frame.locator('.notes').innerText()).toContain('There is more data after the end of the trace');
    await frame.locator('.view select[aria-label=Model]').selectOption('bert-small');
    await frame.locator('select[aria-label=Points]').selectOption('range');
    await expect.poll(() => frame.locator('.chart .mark').count()).toBe(2);
    expect(await rows('Points').first().innerText()).toMatch(/\(forward\)\s+the model/);
    await workbench.screenshot('roofline-by-model');
  });

  it.skipIf(!hasData)('shows a real profile', async () => {
    await workbench.command('GPU Lens: Open Profile…', qwen);
    await openedProfile(workbench.page, qwen).waitFor();
    await workbench.command('GPU Lens: Show Roofline and Estimate');
    frame = await workbench.webview('Roofline and Estimate');
    await frame.locator('select[aria-label=Points]').selectOption('shape');
    await expect.poll(() => frame.locator('.chart .mark').count()).toBeGreaterThan(15);
    await workbench.screenshot('roofline-qwen');
    await frame.locator('.view select[aria-label=Model]').selectOption('qwen1.5-0.5b');
    await frame.locator('[data-tab=layers]').click();
    await expect.poll(() => rows('Layers').count()).toBeGreaterThan(3);
    await workbench.screenshot('roofline-qwen-layers');
  });

  it('finds the models of a profile that opens with the window', async () => {
    const file = hasData ? qwen : 'run.pt.trace.json';
    workbench.changeSettings({'gpuLens.profile': file});
    await workbench.reload();
    // The name alone is there while the profile is being opened.
    await openedProfile(workbench.page, `${file} ·`).waitFor();
    await workbench.command('GPU Lens: Show Roofline and Estimate');
    frame = await workbench.webview('Roofline and Estimate');
    await frame.locator('[data-tab=roofline]').click();
    const choice = frame.locator('.view select[aria-label=Model]');
    await expect.poll(() => choice.locator('option').nth(1).textContent()).toContain('its shapes are here');
    await choice.selectOption({index: 1});
    await expect.poll(() => frame.locator('.chart .mark.model').count()).toBeGreaterThan(3);
  });

  it.each(everydayThemes)('follows the theme %s', async theme => {
    frame = await workbench.webview('Roofline and Estimate');
    await workbench.chooseTheme(theme, frame);
    await frame.locator('[data-tab=roofline]').click();
    await expect.poll(() => frame.locator('.chart .mark.model').count()).toBeGreaterThan(3);
    await frame.getByRole('tree', {name: 'Roofline.'}).focus();
    await frame.getByRole('tree', {name: 'Roofline.'}).press('End');
    await workbench.screenshotAtRest(`roofline-${themes[theme].webview}`);
    await frame.locator('[data-tab=estimate]').click();
    await expect.poll(() => frame.locator('.bars svg').count()).toBe(1);
    await workbench.screenshotAtRest(`estimate-${themes[theme].webview}`);
  });
});

function svgAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
