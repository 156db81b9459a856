import {join} from 'node:path';
import type {Frame} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {run} from '../support/command-line.js';
import {GpuProgram} from '../support/gpu-program.js';
import {kinetoText} from '../support/kineto-events.js';
import {openedProfile} from './support/opened-profile.js';
import {previewOf} from './support/markdown-preview.js';
import {Workbench} from './support/workbench.js';

const source = `from torch.profiler import record_function

with record_function("attention"):
    y = x + x
with record_function("mlp"):
    y = x @ w
print("done")
`;

const product = 'ampere_sgemm_128x64_tn';
const sum = 'vectorized_elementwise_kernel';
const file = 'run.pt.trace.json';
const title = `What if? ${file}`;

/** Six steps on an A100, each with a sum in "attention", a product in "mlp", and a wait at its end. */
function recording(): string {
  const program = new GpuProgram();
  const tensor = {'Input Dims': [[1_555_000], [1_555_000]], 'Input type': ['float', 'float']};
  for (let step = 3; step < 9; step++) {
    program.range(`ProfilerStep#${String(step)}`, own => {
      own
        .range('attention', inner => inner.python(2).launch({name: sum, gpu: 100, operator: 'aten::add', args: tensor}))
        .range('mlp', inner => inner.python(2).launch({name: product, gpu: 300, operator: 'aten::mm'}))
        .synchronise();
    });
  }
  return kinetoText(program.events, {deviceProperties: [{id: 0, name: 'NVIDIA A100-SXM4-40GB'}]});
}

describe('"What If…" of a line and of a kernel', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {[file]: recording(), 'train.py': source},
      settings: {'gpuLens.profile': file},
    });
    await openedProfile(workbench.page, file).waitFor();
  });

  /** The page, once it is about a name: its row of a change has what the command line predicts. */
  async function expectPrediction(name: string, change: string): Promise<Frame> {
    const preview = await previewOf(workbench.page, title, `${name} takes half of its time`);
    const {stdout} = run('whatif', join(workbench.workspace, file), '--apply', change);
    const [, step, , low, high] = /^Predicted +(.*?) \((.*?)\), between (.*?) and (.*)$/m.exec(stdout) ?? [];
    if (step === undefined || low === undefined || high === undefined) throw new Error(stdout);
    const row = preview.locator('tr').filter({has: preview.locator(`code:text-is("${change}")`)});
    const text = ((await row.textContent()) ?? '').replaceAll('\u00a0', ' ');
    expect(text).toContain(`≈ ${step}`);
    expect(text).toContain(`${low} to ${high}`);
    expect(await preview.locator('body').textContent()).toContain('Everything below is predicted.');
    return preview;
  }

  it('asks about the line by the button above it: what applies to it, predicted as on the command line', async () => {
    await workbench.openFile('train.py');
    await expect.poll(() => workbench.codeLenses()).toHaveLength(2);
    await workbench.clickLensButton('beaker');
    const preview = await expectPrediction('attention', 'faster=attention:2');
    await expectPrediction('attention', 'at-roof=attention');
    const text = (await preview.locator('body').textContent()) ?? '';
    // No products are in this line, and it waits for nothing: that is said of it.
    expect(text).toContain(
      'Products of attention are in bfloat16: No matrix product is computed in a wider type than bf16',
    );
    expect(text).toContain('No thread waits for the GPU in attention: "attention" has no call that waits');
    await workbench.keepScreenshot('what-if-line');
  });

  it('asks about the line of the cursor from the editor’s menu, and says where a line has no times', async () => {
    await workbench.openFile('train.py');
    await workbench.goToLine(5);
    await workbench.pickInMenu(workbench.page.locator('.view-line', {hasText: 'mlp'}), 'What If This Line Changes…');
    await expectPrediction('mlp', 'precision=bf16:mlp');
    await workbench.openFile('train.py');
    await workbench.goToLine(7);
    await workbench.command('GPU Lens: What If This Line Changes…');
    await workbench.notification('This line has no times in the active profile').waitFor();
  });

  it('asks about a row of "Hot Ranges" by its menu', async () => {
    // VS Code's own command, which it names by the container.
    const container = 'GPU Lens';
    await workbench.command(`${container}: Focus on Hot Ranges View`);
    const rows = workbench.page.locator('.pane', {hasText: 'Hot Ranges'}).locator('.monaco-list-row');
    await workbench.pickInMenu(rows.filter({hasText: 'attention'}).first(), 'What If…');
    await expectPrediction('attention', 'faster=attention:2');
  });

  it('asks about a kernel from its row, the timeline and the flame graph', async () => {
    await workbench.command('GPU Lens: Show Tables');
    const tables = await workbench.webview('GPU Tables');
    await tables.locator('[data-tab=kernels]').click();
    await tables.locator('.body .row', {hasText: sum}).locator('.cell').first().click();
    await tables.getByText('Timeline', {exact: true}).click();
    const timeline = await workbench.webview('GPU Timeline', 'panel');
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toContain(sum);
    await workbench.keepScreenshot('what-if-timeline');
    await tables.getByText('What if…', {exact: true}).click();
    await expectPrediction(sum, `at-roof=${sum}`);

    await workbench.command('GPU Lens: Show Flame Graph');
    const flame = await workbench.webview('GPU Flame Graph');
    const canvas = flame.locator('canvas');
    await canvas.focus();
    const selected = () => flame.getByTestId('selection').textContent();
    await expect
      .poll(async () => {
        await canvas.press('ArrowDown');
        return selected();
      })
      .toContain(product);
    await canvas.press('m');
    await flame.getByRole('menuitem', {name: 'What if…'}).click();
    await expectPrediction(product, `faster=${product}:2`);

    await timeline.getByTestId('context').getByRole('button', {name: 'What if…'}).click();
    await expectPrediction(sum, `faster=${sum}:2`);
  });
});
