import {execFileSync} from 'node:child_process';
import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, inject, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {openedProfile} from './support/opened-profile.js';
import {showQuickRow} from './support/quick-input.js';
import {Workbench} from './support/workbench.js';

/** Selects the interpreter, as the Python extension does. VS Code reads its extensions when a server starts. */
const standIn = join(root, 'test', 'e2e', 'fixtures', 'python-extension-stand-in');

const training = `import argparse, os, torch
from torch.profiler import record_function

net = torch.nn.Linear(64, 64)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(8):
    with record_function("train_step"):
        with record_function("forward"):
            loss = net(torch.randn(32, 64)).sum()
        with record_function("backward"):
            loss.backward()
        optimizer.step()
print("folder:", os.path.basename(os.getcwd()))
`;

const failing = training.replace('print(', 'raise ValueError("the data has no end")\nprint(');
const endless = `${training}\nimport time\nprint("waiting", flush=True)\ntime.sleep(600)\n`;
const withArguments = `import sys, torch
from torch.profiler import record_function
with record_function("arguments " + "|".join(sys.argv[1:])):
    torch.ones(2).sum()
`;

/** Traces in the folders of the workspace's runs. */
function traces(workspace: string): string[] {
  const runs = join(workspace, '.gpu-lens', 'runs');
  if (!existsSync(runs)) return [];
  return readdirSync(runs).flatMap(run =>
    readdirSync(join(runs, run)).filter(name => name.endsWith('.pt.trace.json.gz')),
  );
}

describe('Profile model step', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {
        'src/train model.py': training,
        'failing.py': failing,
        'endless.py': endless,
        'arguments.py': withArguments,
        'no_torch.py': 'print("hello")\n',
      },
      ownServer: {extensions: [standIn]},
      settings: {
        'standIn.interpreter': inject('python'),
        'gpuLens.python': '/no/such/python',
        'terminal.integrated.gpuAcceleration': 'off',
        'terminal.integrated.stickyScroll.enabled': false,
      },
    });
  });

  it('runs the script in the editor with the interpreter that is selected, and shows times on its lines', async () => {
    await workbench.openScript('train model.py');
    await workbench.command('GPU Lens: Profile model step', 'the file in the editor');
    await workbench.notification('Profiling train model.py').waitFor();
    await workbench.screenshot('profile-progress');
    await openedProfile(workbench.page, 'train model.pt.trace.json.gz').waitFor();
    // The loop, three tags, and the lines of the forward pass, the backward pass and the optimizer, which have no tag.
    await expect.poll(() => workbench.codeLenses()).toHaveLength(7);
    const lenses = await workbench.codeLenses();
    for (const lens of lenses)
      expect(lens).toMatch(
        /^CPU [\d.]+ (µs|ms|s)\/step · <?[\d.]+ % of the step · ×[13] · no GPU work in this profile$/,
      );
    expect(traces(workbench.workspace)).toHaveLength(1);
    await workbench.screenshot('profile-done');
  });

  it('shows the range of a line in the timeline on a click on its CodeLens', async () => {
    await workbench.clickCodeLens('CPU', 4);
    const timeline = await workbench.webview('GPU Timeline', 'panel');
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toMatch(/^backward · start/);
    await workbench.screenshot('profile-range');
  });

  it('runs the script in its own folder, with its output in the terminal', async () => {
    await workbench.command('Terminal: Focus Terminal');
    await expect.poll(() => workbench.page.locator('.xterm-rows').last().textContent()).toContain('folder: src');
  });

  it('passes arguments as they were typed, and remembers them', async () => {
    await workbench.openScript('arguments.py');
    await workbench.command('GPU Lens: Profile Script with Arguments');
    const input = workbench.page.locator('.quick-input-widget input').first();
    await input.waitFor();
    await input.fill('--name "two words" $HOME;ls');
    await input.press('Enter');
    await openedProfile(workbench.page, 'arguments.pt.trace.json.gz').waitFor();
    const timeline = await workbench.webview('GPU Timeline', 'panel');
    // The tag's: the line inside calls torch twice.
    await workbench.clickCodeLens('×1');
    await expect
      .poll(() => timeline.getByTestId('selection').textContent())
      .toMatch(/^arguments --name\|two words\|\$HOME;ls · /);
  });

  it('says how a script failed, and shows what was recorded before', async () => {
    await workbench.openScript('failing.py');
    await workbench.command('GPU Lens: Profile model step', 'the file in the editor');
    const message = workbench.notification('failing.py failed with exit code 1: ValueError: the data has no end.');
    await message.waitFor();
    expect(await message.textContent()).toContain('What was recorded before is shown.');
    await workbench.codeLenses();
    await workbench.screenshot('profile-failed');
    await workbench.command('Notifications: Clear All Notifications');
  });

  it('says when nothing was recorded', async () => {
    await workbench.openScript('no_torch.py');
    await workbench.command('GPU Lens: Profile model step', 'the file in the editor');
    await workbench
      .notification(
        'no_torch.py ran, but nothing was recorded: it did not import torch, or its Python could not be reached. Leave out -E, -I and -S of a Python; where PYTHONPATH is set, write PYTHONPATH=src:$PYTHONPATH; instead of env -i, use env -u NAME. For a program without Python, record with nsys (profiler: nsys).',
      )
      .waitFor();
    await workbench.screenshot('profile-nothing');
    await workbench.command('Notifications: Clear All Notifications');
  });

  it('ends all processes when it is cancelled, and shows what was recorded', async () => {
    await workbench.openScript('endless.py');
    await workbench.command('GPU Lens: Profile model step', 'the file in the editor');
    const progress = workbench.notification('Profiling endless.py');
    await expect.poll(() => progress.textContent()).toContain('recorded; waiting for the script to end');
    expect(processes('endless.py')).not.toBe('');
    await progress.hover();
    await progress.getByText('Cancel').click();
    await expect.poll(() => processes('endless.py')).toBe('');
    // As where it ends by itself: the loop, three tags, and three lines without a tag.
    await expect.poll(() => workbench.codeLenses()).toHaveLength(7);
    await workbench.screenshot('profile-cancelled');
  });

  it('does not run a script that is running already, and can stop it', async () => {
    await workbench.openScript('endless.py');
    await workbench.command('GPU Lens: Profile model step', 'the file in the editor');
    await expect.poll(() => processes('endless.py')).not.toBe('');
    // VS Code tells of a started task later than the system.
    await workbench.notification('Profiling endless.py').waitFor();
    await workbench.command('GPU Lens: Profile model step', 'the file in the editor');
    const busy = workbench.notification('endless.py is still being profiled.');
    await busy.getByText('Stop It').click();
    await expect.poll(() => processes('endless.py')).toBe('');
  });

  it('is offered in the editor’s title', async () => {
    await workbench.openFile('train model.py');
    await workbench.page.locator('.editor-actions .action-label[aria-label^="Profile model step"]').waitFor();
  });
});

describe('Profile model step, where it cannot run', () => {
  it('says what is wrong with the setting, and where the log is', async () => {
    const workbench = await Workbench.start({
      files: {'train.py': training},
      settings: {'gpuLens.python': '/no/such/python'},
    });
    await workbench.openScript('train.py');
    await workbench.command('GPU Lens: Profile model step', 'the file in the editor');
    const message = workbench.notification('The setting gpuLens.python names /no/such/python, which cannot be run.');
    await message.waitFor();
    await message.getByText('Show Log').waitFor();
    await workbench.screenshot('profile-no-python');
  });

  it('is not offered in a workspace that is not trusted, while profiles open', async () => {
    const workbench = await Workbench.start({
      copyOf: join(root, 'media', 'sample'),
      // Whether windows may be untrusted is an option of the server.
      ownServer: {trustsEverything: false},
    });
    // Its settings could name any file, so they do not count.
    await workbench.openFile('train.py');
    expect(await workbench.page.locator('.codelens-decoration').count()).toBe(0);
    await workbench.openFile('train.pt.trace.json.gz');
    await workbench.openFile('train.py');
    await expect.poll(async () => (await workbench.codeLenses()).length).toBeGreaterThan(2);
    await showQuickRow(workbench.page, 'F1', '>GPU Lens: ', 'Open Profile');
    expect(
      await workbench.page.locator('.quick-input-list .monaco-list-row', {hasText: 'Profile model step'}).count(),
    ).toBe(0);
    await workbench.screenshot('profile-untrusted');
  });
});

/** The processes whose command line holds a text. */
function processes(text: string): string {
  return execFileSync('sh', ['-c', `ps -eo pid,args | grep -F "$1" | grep -v grep || true`, 'sh', text], {
    encoding: 'utf8',
  }).trim();
}
