import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, it} from 'vitest';
import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import {json} from '../support/command-line.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {openedProfile} from './support/opened-profile.js';
import {Workbench} from './support/workbench.js';

const profile = kinetoText(
  [
    kineto.range('forward', 0, 50),
    kineto.range('optimizer', 60, 30),
    kineto.call(1, 10, 5),
    kineto.kernel(1, 30, 40),
    kineto.call(2, 62, 5),
    kineto.kernel(2, 75, 7),
  ],
  {deviceProperties: [{id: 0, name: 'A100'}]},
);
const model = `from torch.profiler import record_function

with record_function("forward"):
    loss = net(x)
with record_function("never"):
    pass
`;

const home = mkdtempSync(join(tmpdir(), 'gpu-lens-figures-'));
afterAll(() => {
  rmSync(home, {recursive: true, force: true});
});

interface Row {
  readonly name: string;
  readonly count: number;
  readonly gpuWorkNs: number;
  readonly gpuSelfNs: number;
}

/** What stands above the line that opens a range, by the command line's figures. */
function figuresOf(range: string): string {
  const file = join(home, 'run.pt.trace.json');
  writeFileSync(file, profile);
  const rows = json('ranges', file) as Row[];
  const allNs = rows.reduce((sum, {gpuSelfNs}) => sum + gpuSelfNs, 0);
  const row = rows.find(({name}) => name === range);
  if (!row) throw new Error(`There is no range ${range}.`);
  return `GPU ${formatDuration(row.gpuWorkNs / row.count)}/call · ${formatPercent(row.gpuWorkNs, allNs)} · ×${String(row.count)}`;
}

describe('what stands on lines', () => {
  it('stands in the cells of a notebook, with the command line’s figures', async () => {
    const notebook = {
      cells: [
        {cell_type: 'markdown', metadata: {}, source: ['# with record_function("optimizer"):']},
        {cell_type: 'code', metadata: {}, outputs: [], execution_count: null, source: model.split(/(?<=\n)/)},
      ],
      metadata: {language_info: {name: 'python'}},
      nbformat: 4,
      nbformat_minor: 5,
    };
    const workbench = await Workbench.start({
      files: {'run.pt.trace.json': profile, 'cells.ipynb': JSON.stringify(notebook)},
      settings: {'gpuLens.profile': 'run.pt.trace.json', 'gpuLens.endOfLineText': 'hot'},
    });
    await openedProfile(workbench.page, 'run.pt.trace.json').waitFor();
    await workbench.openFile('cells.ipynb');
    const cell = workbench.page.locator('.notebook-editor');
    const texts = () => cell.locator('.codelens-decoration').allTextContents();
    await expect.poll(async () => (await texts()).join('\n')).toContain(figuresOf('forward'));
    // A line further down may come into view later.
    await expect.poll(async () => (await texts()).join('\n')).toContain('not in this profile');
    expect((await texts()).join('\n')).not.toContain(figuresOf('optimizer'));
    await workbench.screenshot('lines-notebook');
  });

  it('stands in every folder of a workspace of several', async () => {
    const folders = ['one', 'two'].map(path => ({path}));
    const workbench = await Workbench.start({
      files: {
        'job.code-workspace': JSON.stringify({folders}),
        'one/run.pt.trace.json': profile,
        'one/other.py': 'print("nothing")\n',
        'two/model.py': model,
        'two/optimize.py': 'import torch.profiler as p\nwith p.record_function("optimizer"):\n    step()\n',
      },
      settings: {'gpuLens.profile': 'run.pt.trace.json'},
      workspaceFile: 'job.code-workspace',
    });
    await openedProfile(workbench.page, 'run.pt.trace.json').waitFor();
    await workbench.openFile('model.py');
    await expect.poll(async () => (await workbench.codeLenses())[0]).toBe(figuresOf('forward'));
    await workbench.screenshot('lines-folders');
    // What is known of files that are not open: the way to the source leads into the second folder.
    await workbench.command('GPU Lens: Show Tables');
    const tables = await workbench.webview('GPU Tables');
    await tables.locator('.body .row', {hasText: 'optimizer'}).locator('.cell').first().click();
    await tables.getByText('Source', {exact: true}).click();
    await workbench.page.locator('.tab.active', {hasText: 'optimize.py'}).waitFor();
    await expect.poll(async () => (await workbench.codeLenses())[0]).toBe(figuresOf('optimizer'));
  });
});
