import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, inject, it, vi} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {longTests} from '../support/long-tests.js';
import {patience} from '../support/patience.js';
import {openedProfile} from './support/opened-profile.js';
import {Workbench} from './support/workbench.js';

/** Selects the interpreter, as the Python extension does. VS Code reads its extensions when a server starts. */
const standIn = join(root, 'test', 'e2e', 'fixtures', 'python-extension-stand-in');

const training = `import os, sys, torch
from torch.profiler import record_function

net = torch.nn.Linear(64, 64)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(8):
    with record_function("train_step"):
        net(torch.randn(32, 64)).sum().backward()
        optimizer.step()
with open("seen.txt", "w") as file:
    print(os.environ.get("SIZE"), os.environ.get("FROM_FILE"), os.path.exists("data.txt"), *sys.argv[1:], file=file)
`;

/** A process that leaves its parent's session, as the workers of a launcher do. */
const leaving = `import subprocess, sys, time, torch
child = "import time; time.sleep(600) # e2e-left-behind"
subprocess.Popen([sys.executable, "-c", child], start_new_session=True)
torch.nn.Linear(2, 2)(torch.ones(2))
print("waiting", flush=True)
time.sleep(600) # e2e-left-behind
`;

/** Takes no steps, and ends once a window of time of it is recorded. */
const loop = `import glob, time, torch
end = time.monotonic() + 200
while time.monotonic() < end and not glob.glob(".gpu-lens/runs/*/loop.window.pt.trace.json.gz"):
    torch.tanh(torch.ones(64))
    time.sleep(0.001)
`;

const launch = {
  version: '0.2.0',
  configurations: [
    {
      name: 'Train big',
      type: 'debugpy',
      request: 'launch',
      program: '${workspaceFolder}/src/train.py',
      args: ['--name', 'two words'],
      env: {SIZE: 'big'},
      envFile: '${workspaceFolder}/settings.env',
      preLaunchTask: 'make data',
    },
    {name: 'Serve', type: 'node', request: 'launch', program: 'server.js'},
    {name: 'Needs an input', type: 'debugpy', request: 'launch', program: 'src/train.py', args: ['${input:size}']},
  ],
};

const tasks = {
  version: '2.0.0',
  tasks: [
    {label: 'make data', type: 'shell', command: 'echo data > data.txt'},
    {
      label: 'profile two steps',
      type: 'gpu-lens',
      script: 'src/train.py',
      args: ['--from-task'],
      active: 2,
      env: {SIZE: 'small'},
      dependsOn: 'make data',
    },
    {label: 'profile a loop', type: 'gpu-lens', script: 'loop.py', stepLimitSeconds: 2, windowSeconds: 2},
    {label: 'profile what fails', type: 'gpu-lens', script: 'fails.py', problemMatcher: '$gpu-lens-traceback'},
  ],
};

describe('what “Profile model step” can run', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {
        'src/train.py': training,
        'leaving.py': leaving,
        'fails.py': `import torch\ndef load():\n    raise ValueError("the data has no end")\nload()\n`,
        'loop.py': loop,
        'run.sh': 'cd "$(dirname "$0")"\nexport SIZE=tiny\npython src/train.py "$@"\n',
        'settings.env': 'FROM_FILE=yes\n',
        '.vscode/launch.json': JSON.stringify(launch),
        '.vscode/tasks.json': JSON.stringify(tasks),
      },
      ownServer: {extensions: [standIn]},
      settings: {
        'standIn.interpreter': inject('python'),
        'terminal.integrated.gpuAcceleration': 'off',
        // What is typed runs as it is: a list of suggestions may take the Enter key.
        'terminal.integrated.suggest.enabled': false,
      },
    });
  });

  /** What the script wrote when it ended. */
  const seen = () => readFileSync(join(workbench.workspace, 'seen.txt'), 'utf8').trim();
  const runFolders = () => readdirSync(join(workbench.workspace, '.gpu-lens', 'runs'));

  let runs = 0;

  /** Waits for the times of one more run on the script's one tagged line, once `seen` tells that it ran. */
  async function lensOfRun(): Promise<string> {
    runs++;
    await expect.poll(() => runFolders().length).toBe(runs);
    // The profile of the run before stands in the status bar until this one is read.
    const underWay = workbench.page.locator('.statusbar-item, .notification-toast', {hasText: 'Profiling '});
    await expect.poll(() => underWay.count()).toBe(0);
    // The profile of the run before has the same name.
    const profile = join('.gpu-lens', 'runs', runFolders().sort().at(-1) ?? '', 'train.pt.trace.json.gz');
    await expect.poll(() => workbench.hasLogged(`Opened ${join(workbench.workspace, profile)}`), patience).toBe(true);
    await openedProfile(workbench.page, 'train.pt.trace.json.gz').waitFor();
    await workbench.webview('GPU Timeline', 'panel');
    await workbench.openFile('train.py');
    // VS Code takes lenses away for a moment when they change.
    const cpuTime = async () => (await workbench.codeLenses()).find(lens => lens.startsWith('CPU '));
    return vi.waitUntil(cpuTime, patience);
  }

  it('runs a launch configuration, with its arguments, variables and the task before it', async () => {
    await workbench.openFile('train.py');
    await workbench.command('GPU Lens: Profile model step');
    await workbench.page.locator('.quick-input-list .monaco-list-row', {hasText: 'Train big'}).waitFor();
    await workbench.page.locator('.quick-input-list .monaco-list-row', {hasText: 'profile two steps'}).waitFor();
    expect(await workbench.page.locator('.quick-input-list .monaco-list-row', {hasText: 'Serve'}).count()).toBe(0);
    await workbench.screenshot('profile-choices');
    await workbench.pick('Train big');
    await expect.poll(seen).toBe('big yes True --name two words');
    expect(await lensOfRun()).toContain('CPU');
  });

  it('says what a launch configuration asks for that only a debugger can give', async () => {
    await workbench.command('GPU Lens: Profile model step', 'Needs an input');
    await workbench
      .notification('The launch configuration “Needs an input” asks for ${input:size}, which only the debugger can')
      .waitFor();
    await workbench.command('Notifications: Clear All Notifications');
  });

  longTests(() => {
    it('runs a shell script, in which python is the interpreter that is selected', async () => {
      await workbench.openScript('run.sh');
      await workbench.command('GPU Lens: Profile model step', 'the file in the editor');
      await expect.poll(seen).toBe('tiny None True');
      expect(await lensOfRun()).toContain('CPU');
    });
  });

  it('runs a task of tasks.json with what it depends on', async () => {
    await workbench.command('Tasks: Run Task', 'profile two steps');
    await expect.poll(seen).toBe('small None True --from-task');
    expect(await lensOfRun()).toContain('CPU');
  });

  it('runs again what recorded the profile in sight', async () => {
    await workbench.command('GPU Lens: Profile Again');
    await expect.poll(seen).toBe('small None True --from-task');
    expect(await lensOfRun()).toContain('CPU');
  });

  it('offers what was typed in a terminal', async () => {
    await workbench.command('Terminal: Create New Terminal');
    // A mark beside the prompt: from then on the shell tells what it runs.
    const mark = workbench.page.locator('.terminal-wrapper.active .terminal-command-decoration');
    await mark.first().waitFor();
    await workbench.page.locator('.terminal-wrapper.active .xterm.focus').waitFor();
    // VS Code may not tell extensions of the first command of a terminal.
    await workbench.page.keyboard.type('true\n');
    await mark.nth(1).waitFor();
    await workbench.page.keyboard.type('bash run.sh --typed\n');
    // It comes with the next prompt, after the script.
    await mark.nth(2).waitFor();
    // It is offered once its shell has told of it.
    const row = workbench.page.locator('.quick-input-list .monaco-list-row', {hasText: 'bash run.sh --typed'});
    const isOffered = async () => {
      await workbench.command('GPU Lens: Profile model step');
      return row.waitFor({timeout: 20_000}).then(
        () => true,
        () => false,
      );
    };
    await vi.waitUntil(isOffered, patience);
    await workbench.pick('bash run.sh --typed');
    await expect.poll(seen).toBe('tiny None True --typed');
    expect(await lensOfRun()).toContain('CPU');
  });

  it('turns a traceback into a problem', async () => {
    await workbench.openScript('fails.py');
    await workbench.command('GPU Lens: Profile model step', 'the file in the editor');
    await workbench.notification('fails.py failed with exit code 1: ValueError: the data has no end.').waitFor();
    await workbench.command('Notifications: Clear All Notifications');
    await workbench.command('View: Focus Problems');
    const problem = workbench.page.locator('.markers-panel .monaco-list-row', {
      hasText: 'ValueError: the data has no end',
    });
    await problem.waitFor();
    expect(await problem.first().textContent()).toContain('Ln 3');
    await workbench.screenshot('profile-problem');
  });

  longTests(() => {
    it('does so for a task of tasks.json that names the matcher, in a terminal that was used before, too', async () => {
      const problems = workbench.page.locator('.markers-panel .monaco-list-row', {hasText: 'the data has no end'});
      for (const end of ['no end', 'no end at all']) {
        const source = `import torch\n${'\n'.repeat(end.length)}raise ValueError("the data has ${end}")\n`;
        writeFileSync(join(workbench.workspace, 'fails.py'), source);
        await workbench.command('Tasks: Run Task', 'profile what fails');
        await workbench.notification(`fails.py failed with exit code 1: ValueError: the data has ${end}.`).waitFor();
        await workbench.command('Notifications: Clear All Notifications');
        await workbench.command('View: Focus Problems');
        const place = new RegExp(`the data has ${end}\\D*Ln ${String(end.length + 2)}\\D`);
        await expect.poll(() => problems.allTextContents()).toEqual([expect.stringMatching(place)]);
      }
    });
  });

  longTests(() => {
    it('records a window of time, as it runs, of a script in which no step is found', async () => {
      await workbench.command('Tasks: Run Task', 'profile a loop');
      const offer = workbench.notification('No step of loop.py was found for 2 s.');
      await offer.getByText('Record a Window of Time').click();
      await openedProfile(workbench.page, 'loop.window.pt.trace.json.gz').waitFor();
      await workbench.screenshot('profile-window');
    });
  });

  it('leaves no process behind when it is cancelled, in whatever session', async () => {
    await workbench.openScript('leaving.py');
    await workbench.command('GPU Lens: Profile model step', 'the file in the editor');
    const progress = workbench.notification('Profiling leaving.py');
    await expect.poll(() => processes('e2e-left-behind').length).toBeGreaterThan(0);
    await expect.poll(() => progress.textContent()).toContain('recording the first step');
    await progress.hover();
    await progress.getByText('Cancel').click();
    await expect.poll(() => [...processes('e2e-left-behind'), ...processes('leaving.py')]).toEqual([]);
    await openedProfile(workbench.page, 'leaving.pt.trace.json.gz').waitFor();
  });

  it('tells what the environment has', async () => {
    await workbench.command('GPU Lens: Check Environment');
    const editor = workbench.page.locator('.editor-instance .view-lines');
    await expect.poll(() => editor.first().textContent()).toMatch(/chosen.by.the.Python.extension/);
    await workbench.screenshot('check-environment');
  });
});

/** The command lines that hold a text. */
function processes(text: string): string[] {
  const lines = execFileSync('ps', ['-eo', 'args'], {encoding: 'utf8'}).split('\n');
  return lines.filter(line => line.includes(text) && !line.startsWith('ps '));
}
