import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, it, vi} from 'vitest';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {patience} from '../support/patience.js';
import {openedProfile} from './support/opened-profile.js';
import {Workbench} from './support/workbench.js';

const source = `"""A step."""
import torch


def train(model, batches):
    for batch in batches:
        # The first pass.
        loss = model(batch)  # forward

        loss.backward()
    return loss
`;

describe('writing tags', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {
        'train.py': source,
        'run.pt.trace.json': kinetoText([kineto.range('attention', 0, 90), kineto.range('mlp', 100, 50)]),
      },
      settings: {
        'gpuLens.profile': 'run.pt.trace.json',
        'editor.quickSuggestions': {strings: true},
        'files.defaultLanguage': 'python',
      },
    });
    await openedProfile(workbench.page, 'run.pt.trace.json').waitFor();
    await workbench.openFile('train.py');
  });

  const saved = () => readFileSync(join(workbench.workspace, 'train.py'), 'utf8');

  /** Selects whole lines, and picks a code action. */
  async function act(firstLine: number, lines: number, title: string): Promise<void> {
    const {keyboard} = workbench.page;
    await workbench.goToLine(firstLine);
    await keyboard.press('Home');
    for (let line = 1; line < lines; line++) await keyboard.press('Shift+ArrowDown');
    if (lines > 0) await keyboard.press('Shift+End');
    // The palette would take the selection away. The first time the parser is loaded, which may take longer than the menu waits.
    const action = workbench.page.locator('.action-widget').getByText(title, {exact: false}).first();
    const opened = async () => {
      await keyboard.press('Control+Shift+R');
      return action.waitFor({timeout: 20_000}).then(
        () => true,
        () => false,
      );
    };
    await vi.waitUntil(opened, patience);
    await action.click();
    await action.waitFor({state: 'hidden'});
  }

  async function save(): Promise<void> {
    await workbench.command('File: Save');
    await workbench.page.locator('.tab.active.dirty').waitFor({state: 'detached'});
  }

  it('wraps the selection, with its import, comments and indentation', async () => {
    await act(7, 4, 'Wrap selection in record_function("model")');
    await workbench.screenshot('tag-actions-wrapped');
    await save();
    await expect.poll(saved).toBe(`"""A step."""
import torch
from torch.profiler import record_function


def train(model, batches):
    for batch in batches:
        # The first pass.
        with record_function("model"):
            loss = model(batch)  # forward

            loss.backward()
    return loss
`);
  });

  it('is undone in one step', async () => {
    await workbench.page.locator('.editor-instance .view-lines').first().click();
    await workbench.page.keyboard.press('Control+Z');
    await save();
    await expect.poll(saved).toBe(source);
  });

  it('tags a function, and takes the tag away again', async () => {
    await act(5, 0, 'Tag this function: record_function("train")');
    await save();
    await expect.poll(saved).toContain('\n@record_function("train")\ndef train(');
    await act(6, 0, 'Remove tag "train"');
    await save();
    await expect
      .poll(saved)
      .toBe(source.replace('import torch\n', 'import torch\nfrom torch.profiler import record_function\n'));
  });

  it('completes the names of ranges that the profile knows', async () => {
    await workbench.command('File: New Untitled Text File');
    await workbench.page.locator('.editor-instance .monaco-editor.focused[data-uri^="untitled:"]').waitFor();
    await workbench.page.keyboard.type('with record_function("', {delay: 30});
    const items = workbench.page.locator('.suggest-widget .monaco-list-row');
    await items.first().waitFor();
    await expect.poll(async () => (await items.allTextContents()).join(' ')).toMatch(/attention.*mlp/);
    await workbench.screenshot('tag-completion');
    await workbench.page.keyboard.type('at');
    await expect.poll(async () => (await items.allTextContents()).length).toBe(1);
    await workbench.page.keyboard.press('Enter');
    const line = () => workbench.page.locator('.editor-instance .view-line').first().textContent();
    await expect.poll(line).toMatch(/with.record_function\("attention"/);
  });
});
