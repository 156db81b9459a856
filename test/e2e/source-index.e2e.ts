import {mkdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Frame} from 'playwright-core';
import {beforeAll, describe, expect, it, vi} from 'vitest';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {openedProfile} from './support/opened-profile.js';
import {Workbench} from './support/workbench.js';
import {patience} from '../support/patience.js';

const names = ['in python', 'layer_3', 'in cuda', 'shared', 'seen', 'later', 'nowhere', 'far', 'which', 'in a cell'];
const trace = kinetoText(names.flatMap((name, at) => [kineto.range(name, 100 * at, 90)]));
const tagged = (name: string) => `with record_function(${name}):\n    pass\n`;

describe('going from a range to its line', () => {
  let workbench: Workbench;
  let tables: Frame;
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {
        'run.pt.trace.json': trace,
        // What the runner saw on another machine: two files here have that name.
        'run.meta.json': JSON.stringify({
          sites: [
            {name: 'seen', file: '/job/here/train.py', line: 3, count: 1},
            {name: 'far', file: '/home/other/proj/remote.py', line: 2, count: 1},
            {name: 'which', file: '/home/other/proj/twice.py', line: 2, count: 1},
          ],
          kind: 'steps',
          why: 'complete',
          steps: 1,
        }),
        'model.py': `from torch.profiler import record_function\n\n${tagged('"in python"')}\n${tagged('f"layer_{i}"')}`,
        'ops.cu': 'void launch() {\n  kernel<<<1, 1>>>();\n  nvtxRangePushA("in cuda");\n}\n',
        'a/shared.py': `import torch\n\n\n${tagged('"shared"').replace('record', 'torch.profiler.record')}`,
        'b/shared.py': `from torch.profiler import record_function\n${tagged('"shared"')}`,
        'x/train.py': 'first = 1\nsecond = 2\nwhere = "x"\n',
        'y/train.py': 'first = 1\nsecond = 2\nwhere = "y"\n',
        'work.ipynb': JSON.stringify({
          cells: [
            {cell_type: 'markdown', metadata: {}, source: ['# Work']},
            {cell_type: 'code', metadata: {}, outputs: [], execution_count: null, source: 'import torch as t\n'},
            {
              ...{cell_type: 'code', metadata: {}, outputs: [], execution_count: null},
              source: 'first = 1\nwith t.profiler.record_function("in a cell"):\n    pass',
            },
          ],
          metadata: {language_info: {name: 'python'}},
          ...{nbformat: 4, nbformat_minor: 5},
        }),
        // The text does not tell their names: the runner's path does.
        'proj/remote.py': `from torch.profiler import record_function\n${tagged('name()')}`,
        'x/twice.py': `from torch.profiler import record_function\n${tagged('name()')}`,
        'y/twice.py': `from torch.profiler import record_function\n${tagged('name()')}`,
      },
      settings: {'gpuLens.profile': 'run.pt.trace.json'},
    });
    await openedProfile(workbench.page, 'run.pt.trace.json').waitFor();
    await showTables();
  });

  async function showTables(): Promise<void> {
    await workbench.command('GPU Lens: Show Tables');
    tables = await workbench.webview('GPU Tables');
    await tables.locator('.body .row').first().waitFor();
  }

  /** Asks for the source of a range, from the table of ranges. */
  async function goToSource(name: string): Promise<void> {
    await showTables();
    await tables.locator('.body .row', {hasText: name}).locator('.cell').first().click();
    await tables.getByText('Source', {exact: true}).click();
  }

  /** Goes to the source of a range again and again, until what `seen` gives holds a text: files are looked at in time. */
  async function expectSource(name: string, seen: () => Promise<string | null>, wanted: string): Promise<void> {
    const isSeen = async () => ((await seen()) ?? '').includes(wanted);
    const isReached = async () => {
      await workbench.page.keyboard.press('Escape');
      await goToSource(name);
      // An editor opens some time after the click, and would be hidden by the next try before it is seen.
      return vi.waitUntil(isSeen, {...patience, timeout: 20_000}).catch(() => false);
    };
    await vi.waitUntil(isReached, patience).catch((error: unknown) => {
      throw new Error(`${name} does not lead to ${wanted}.`, {cause: error});
    });
  }

  const cursor = () => workbench.page.locator('.statusbar-item', {hasText: /^Ln \d+/}).textContent();
  /** What the editor shows; it writes spaces that do not break. */
  const text = async () =>
    ((await workbench.page.locator('.editor-instance .view-lines').last().textContent()) ?? '').replaceAll(
      '\u00a0',
      ' ',
    );
  const activeFile = () => workbench.page.locator('.tab.active').getAttribute('aria-label');

  it.each([
    ['in python', 'model.py', 3],
    ['layer_3', 'model.py', 6],
    ['in cuda', 'ops.cu', 3],
  ])('opens the line of %s', async (name, file, line) => {
    await goToSource(name);
    await expect.poll(activeFile).toContain(file);
    await expect.poll(cursor).toMatch(new RegExp(`^Ln ${String(line)},`));
  });

  it('opens the cell of a notebook', async () => {
    await goToSource('in a cell');
    await expect.poll(activeFile).toContain('work.ipynb');
    const focused = workbench.page.locator('.notebook-editor .cell-list-container .monaco-list-row.focused');
    await expect.poll(async () => (await focused.textContent())?.replaceAll('\u00a0', ' ')).toContain('first = 1');
    await workbench.screenshot('source-cell');
  });

  it('asks which line is meant where several share a name', async () => {
    await goToSource('shared');
    const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
    await expect.poll(() => rows.locator('.label-name').allTextContents()).toEqual(['a/shared.py:4', 'b/shared.py:2']);
    await workbench.pick('b/shared.py:2');
    await expect.poll(activeFile).toContain('shared.py');
    await expect.poll(cursor).toMatch(/^Ln 2,/);
  });

  it('asks once which file a path of another machine means', async () => {
    await goToSource('seen');
    const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
    await expect.poll(() => rows.locator('.label-name').allTextContents()).toEqual(['x/train.py', 'y/train.py']);
    await workbench.screenshot('source-which-file');
    // Who chooses none is told nothing, and is asked again.
    await workbench.page.keyboard.press('Escape');
    await goToSource('seen');
    await rows.last().waitFor();
    expect(await workbench.notification('No file of this workspace opens "seen".').count()).toBe(0);
    await workbench.pick('y/train.py');
    await expect.poll(text).toContain('where = "y"');
    await expect.poll(cursor).toMatch(/^Ln 3,/);
    await workbench.command('View: Close Editor');
    await goToSource('seen');
    await expect.poll(text).toContain('where = "y"');
  });

  it('puts figures on the file that a path of another machine means', async () => {
    await workbench.openFile('remote.py');
    await expect.poll(() => workbench.codeLenses()).toContainEqual(expect.stringMatching(/^CPU /));
  });

  it('puts them on none of several such files until one is chosen', async () => {
    await workbench.openFile('twice.py');
    const question = workbench.notification('may be any of 2 files of this workspace');
    await question.waitFor();
    expect(await workbench.page.locator('.codelens-decoration a').count()).toBe(0);
    await question.getByText('Choose File').click();
    await workbench.pick('y/twice.py');
    await goToSource('which');
    await expect.poll(cursor).toMatch(/^Ln 2,/);
    await expect.poll(() => workbench.codeLenses()).toContainEqual(expect.stringMatching(/^CPU /));
  });

  it('follows the setting that maps paths once it is changed', async () => {
    const folder = join(workbench.workspace, '.vscode');
    mkdirSync(folder, {recursive: true});
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({'gpuLens.sourcePathMap': {'/job/here': 'x'}}));
    await expectSource('seen', text, 'where = "x"');
    rmSync(folder, {recursive: true});
  });

  it('says where no line opens a range, until a file that does is written', async () => {
    await goToSource('later');
    await workbench.notification('No file of this workspace opens "later".').waitFor();
    writeFileSync(
      join(workbench.workspace, 'late.py'),
      `import torch\n${tagged('"later"').replace('record', 'torch.profiler.record')}`,
    );
    await expectSource('later', activeFile, 'late.py');
  });

  it('follows files that are renamed and deleted', async () => {
    renameSync(join(workbench.workspace, 'late.py'), join(workbench.workspace, 'moved.py'));
    await expectSource('later', activeFile, 'moved.py');
    rmSync(join(workbench.workspace, 'b'), {recursive: true});
    await expectSource('shared', activeFile, 'shared.py');
    await expect.poll(cursor).toMatch(/^Ln 4,/);
  });
});
