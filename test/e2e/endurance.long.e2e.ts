import {join} from 'node:path';
import type {Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, inject, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {seededRandom} from '../support/random.js';
import {twoRangeSteps} from '../support/two-range-steps.js';
import {activeProfile, openedProfile} from './support/opened-profile.js';
import {closePage} from './support/browser-window.js';
import {devtoolsOf, heldMemory} from './support/held-memory.js';
import {previewOf} from './support/markdown-preview.js';
import {flatAfter, MemoryTable} from './support/memory-table.js';
import {Workbench} from './support/workbench.js';

/** How long the work goes on. A shorter run needs at least some rounds of each third. */
const minutes = Number(process.env['GPU_LENS_ENDURANCE_MINUTES'] ?? '60');
const leastRounds = 6;
const kills = 10;
/**
 * What code-server logs by itself. At each start: it has no gallery, and none of VS Code's compiled modules. Once in a
 * while its server, where no extension runs, writes to a connection that has ended.
 */
const usualErrors =
  /open-vsx\.org|build\/Release\/watchdog|vscode\.lock|code-server-ipc\.sock|^remoteagent\.log: .*Unexpected SIGPIPE/;

const profiles = ['before.pt.trace.json', 'after.pt.trace.json'] as const;
const single = 'single.pt.trace.json';
const recorded = 'recorded.pt.trace.json.gz';
/** The active profile of a window that has just been loaded. */
const sample = 'train.pt.trace.json.gz';

/** Lines for the ranges of `profiles`. */
const tagged = `from torch.profiler import record_function

with record_function("attention"):
    pass
with record_function("mlp"):
    pass
`;

const script = `import torch
from torch.profiler import record_function

net = torch.nn.Linear(64, 64)
for step in range(8):
    with record_function("train_step"):
        net(torch.randn(32, 64)).sum().backward()
`;

describe('VS Code that is used for long', () => {
  let workbench: Workbench;
  let second: Page | undefined;

  beforeAll(async () => {
    const events = [kineto.range('train_step', 0, 100), kineto.call(9, 20, 5), kineto.kernel(9, 30, 40)];
    workbench = await Workbench.start({
      copyOf: join(root, 'media', 'sample'),
      files: {
        [profiles[0]]: twoRangeSteps(100),
        [profiles[1]]: twoRangeSteps(120),
        [single]: kinetoText(events),
        'tagged.py': tagged,
        'recorded.py': script,
      },
      settings: {'gpuLens.python': inject('python')},
    });
  });
  afterAll(async () => {
    if (second) await closePage(second);
  });

  const inStatusBar = (page: Page, name: string) => openedProfile(page, name).waitFor();
  const tabs = () => workbench.page.locator('.tab').allTextContents();

  const showRows = async (tab: string, row: string) => {
    const tables = await workbench.webview('GPU Tables');
    await tables.getByRole('tab', {name: tab, exact: true}).click();
    await tables.locator('.row', {hasText: row}).first().waitFor();
  };
  const compare = () => workbench.command('GPU Lens: Compare Active Profile with…', profiles[0]);
  const isCompared = async () => {
    const comparison = await workbench.webview('GPU Comparison');
    await expect.poll(() => comparison.locator('body').textContent()).toContain('Comparable.');
  };
  const findings = () => workbench.command('GPU Lens: Show Findings');
  const edit = async (file: string, line: number) => {
    await workbench.openFile(file);
    await workbench.goToLine(line);
    await workbench.page.keyboard.type('# ');
  };
  const revert = () => workbench.command('File: Revert File');

  /** Work in which an engine may be killed: `begin` starts it, `isDone` waits for its result, `leave` undoes it. */
  const works = [
    {
      what: 'a question of a table',
      begin: async () =>
        (await workbench.webview('GPU Tables')).getByRole('tab', {name: 'Kernels', exact: true}).click(),
      isDone: () => showRows('Kernels', 'gemm'),
      leave: () => showRows('Ranges', 'attention'),
    },
    {
      what: 'an opening',
      begin: () => workbench.openFile(single),
      isDone: () => inStatusBar(workbench.page, single),
      leave: () => workbench.command('GPU Lens: Close Profile'),
    },
    {what: 'a comparison', begin: compare, isDone: isCompared, leave: () => Promise.resolve()},
    {
      what: 'a search for findings',
      begin: findings,
      isDone: () => previewOf(workbench.page, `Findings in ${profiles[1]}`),
      leave: () => Promise.resolve(),
    },
    {
      what: 'an edit',
      begin: () => edit('tagged.py', 1),
      isDone: () => expect.poll(() => workbench.codeLenses()).toHaveLength(2),
      leave: revert,
    },
  ] as const;

  /** Closes what the work has opened: of the editors, the tables alone stay. */
  const onlyTables = async () => {
    await workbench.command('View: Close All Editors');
    await workbench.command('GPU Lens: Show Tables');
    await workbench.webview('GPU Tables');
  };

  it('loses nothing when its engine is killed ten times in the middle of work, and tells each in one sentence', async () => {
    const {page} = workbench;
    for (const name of profiles) {
      await workbench.openFile(name);
      await inStatusBar(page, name);
    }
    await onlyTables();
    await showRows('Ranges', 'attention');
    const random = seededRandom(34);
    for (let kill = 0; kill < kills; kill++) {
      const work = works[kill % works.length];
      if (!work) throw new Error('There is no work.');
      const openBefore = await tabs();
      const pid = await workbench.enginePid();
      const begun = work.begin();
      // In the middle of the work, before it, or after it.
      await new Promise(resolve => setTimeout(resolve, 1200 * random()));
      process.kill(pid, 'SIGKILL');
      await begun;
      // Escape, which closes lists, also hides a notification: it is still in the list of all.
      await workbench.command('Notifications: Show Notifications');
      const told = workbench.notification(/The engine was killed/);
      await told.first().waitFor();
      expect(await told.count(), work.what).toBe(1);
      expect(await tabs(), work.what).toEqual(expect.arrayContaining(openBefore));
      await workbench.command('Notifications: Clear All Notifications');
      if (work.what === 'an edit') await revert();
      await onlyTables();
      await work.begin();
      await work.isDone();
      await work.leave();
      await inStatusBar(page, profiles[1]);
      await onlyTables();
      await showRows('Ranges', 'attention');
      expect(await workbench.enginePid()).not.toBe(pid);
    }
  }, 1_800_000);

  /** The extension host of the one window that is open, once that of the window before it is gone. */
  const onlyHost = async () => {
    const hosts = () => workbench.hostProcesses().filter(({command}) => command.includes('--type=extensionHost'));
    await expect.poll(() => hosts().length).toBe(1);
    const [host] = hosts();
    if (!host) throw new Error('The window has no extension host.');
    return host;
  };

  const record = async () => {
    await workbench.openScript('recorded.py');
    await workbench.command('GPU Lens: Profile model step', 'the file in the editor');
    await inStatusBar(workbench.page, recorded);
    await workbench.codeLenses();
    await edit('recorded.py', 6);
    await revert();
  };

  /** What a person does in one window, while the second is loaded again. */
  const round = async (other: Page) => {
    for (const name of profiles) {
      await workbench.openFile(name);
      await inStatusBar(workbench.page, name);
    }
    await compare();
    await isCompared();
    await findings();
    await previewOf(workbench.page, `Findings in ${profiles[1]}`);
    await edit('model.py', 1);
    await revert();
    await record();
    await other.reload();
    await inStatusBar(other, sample);
    await workbench.command('View: Close All Editors');
    for (const next of [profiles[1], profiles[0]]) {
      await workbench.command('GPU Lens: Close Profile');
      await inStatusBar(workbench.page, next);
    }
    await workbench.command('GPU Lens: Close Profile');
    await activeProfile(workbench.page, profiles[0]).waitFor({state: 'hidden'});
  };

  /** The errors in all logs, but for those that a VS Code in the browser logs by itself. */
  const loggedErrors = () => workbench.loggedErrors().filter(line => !usualErrors.test(line));

  /** The own processes of both windows: an engine of each, and nothing of a recording. */
  const ownProcesses = () =>
    workbench.startedProcesses().filter(({command}) => /engine\.cjs|python|gpu_lens/.test(command));

  it(
    'holds the same memory after each round, logs no error, and leaves no process',
    {timeout: (minutes + 15) * 60_000},
    async () => {
      const errorsBefore = new Set(loggedErrors());
      const faults: string[] = [];
      const listen = (page: Page) => page.on('pageerror', error => faults.push(error.stack ?? error.message));
      listen(workbench.page);
      await workbench.reload();
      // The first window's: the second's are those that come with it.
      const host = await onlyHost();
      second = await workbench.secondWindow();
      listen(second);
      await inStatusBar(second, sample);
      const devtools = await devtoolsOf(workbench.page);
      const table = new MemoryTable(await heldMemory(host.pid, devtools));
      while (table.minutes < minutes || table.rounds < leastRounds) {
        await round(second);
        const own = ownProcesses().map(({command}) => command);
        expect(own.filter(command => !command.includes('engine.cjs'))).toEqual([]);
        expect(own.length).toBeLessThanOrEqual(2);
        table.add(await heldMemory(host.pid, devtools));
      }
      process.stdout.write(`${table.text()}\n`);
      expect(flatAfter(table.held)).toEqual([]);
      expect(loggedErrors().filter(line => !errorsBefore.has(line))).toEqual([]);
      expect(faults).toEqual([]);
      await closePage(second);
      // Fails if a process of either window is left.
      await workbench.close();
      expect(workbench.startedProcesses()).toEqual([]);
    },
  );
});
