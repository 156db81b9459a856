import {expect, it} from 'vitest';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {openedProfile} from './support/opened-profile.js';
import {Workbench} from './support/workbench.js';

const model = `def forward(x, weight):
    y = x @ weight
    return y.relu() * 2
`;

const kernel = (id: number, name: string, durationUs: number) => [
  kineto.op(name, 100 * id, 10),
  kineto.call(id, 100 * id + 1, 1),
  kineto.kernel(id, 100 * id + 20, durationUs),
];
const trace = kinetoText(
  [
    kineto.op('Torch-Compiled Region: 0/0', 50, 400),
    ...kernel(1, 'triton_poi_fused_mul_relu_0', 6),
    ...kernel(2, 'triton_red_fused_mm_1', 2),
  ],
  {deviceProperties: [{id: 0, name: 'NVIDIA H100'}]},
);
const site = (name: string, line: number) => ({name, file: 'model.py', line, function: 'forward', code: ''});
const sidecar = {
  sites: [],
  compiledKernels: [
    ...[site('triton_poi_fused_mul_relu_0', 2), site('triton_poi_fused_mul_relu_0', 3)],
    site('triton_red_fused_mm_1', 2),
  ],
};

it('shows the work of compiled kernels above their lines, and their lines in the tables', async () => {
  const workbench = await Workbench.start({
    files: {
      'model.py': model,
      'gpu.pt.trace.json': trace,
      'gpu.meta.json': JSON.stringify(sidecar),
      '.vscode/settings.json': JSON.stringify({'gpuLens.profile': 'gpu.pt.trace.json'}),
    },
  });
  await openedProfile(workbench.page, 'gpu.pt.trace.json').waitFor();
  await workbench.openFile('model.py');
  // They lead to the timeline; what stands behind them, to the flame graph and the kernels.
  const lenses = workbench.page.locator('.codelens-decoration a', {hasText: 'compiled'});
  await lenses.nth(1).waitFor();
  const texts = (await workbench.codeLenses()).filter(text => text.includes('compiled'));
  expect(texts).toEqual([
    expect.stringMatching(/^2 compiled kernels · GPU 8\.00 µs.* · 100.* · shared with 1 other line$/),
    expect.stringMatching(/^compiled kernel · GPU 6\.00 µs.* · 75\.0 %.* · shared with 1 other line$/),
  ]);
  await workbench.screenshot('compiled-lines');
  await workbench.command('GPU Lens: Show Tables');
  const tables = await workbench.webview('GPU Tables');
  await tables.locator('[data-tab=compiled]').click();
  // Texts that are too long are shortened in the middle, and whole on hover.
  const row = tables.locator('.body .row', {has: tables.locator('[title="triton_poi_fused_mul_relu_0"]')});
  await row.locator('[title="model.py:2, model.py:3"]').waitFor();
  await workbench.screenshot('compiled-table');
});
