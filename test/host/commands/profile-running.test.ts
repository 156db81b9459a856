import {beforeEach, expect, it, vi} from 'vitest';
import type {IdleRun} from '../../../src/launch/run/idle-runs.js';

const run: IdleRun = {pid: 4711, host: 'h', name: 'train.py', folder: '/w/.gpu-lens/runs/1', job: null};
const idleRuns = vi.fn<() => Promise<readonly IdleRun[]>>();
const triggerRun = vi.fn<(run: IdleRun, request: object) => Promise<object>>();
const picked = vi.fn<(items: readonly object[]) => object | undefined>();
const told: string[] = [];

vi.mock('vscode', async () => ({
  l10n: (await import('../../support/vscode-stand-in.js')).l10n,
  ProgressLocation: {Notification: 15},
  window: {
    showInformationMessage: (text: string) => Promise.resolve(void told.push(text)),
    withProgress: (_options: object, work: (progress: object, token: object) => Promise<unknown>) =>
      work({report: () => undefined}, {onCancellationRequested: () => undefined}),
  },
}));
vi.mock('../../../src/host/base/ask.js', () => ({
  askOne: (items: readonly object[]) => Promise.resolve(picked(items)),
}));
vi.mock('../../../src/host/base/settings.js', () => ({
  readSettings: () => ({recording: {active: 5, stacks: true, shapes: false, memory: false, warmup: 2}}),
}));
vi.mock('../../../src/launch/run/idle-runs.js', () => ({idleRuns: () => idleRuns()}));
vi.mock('../../../src/launch/run/trigger-run.js', () => ({
  triggerRun: (of: IdleRun, request: object) => triggerRun(of, request),
}));
const {profileRunningCommand} = await import('../../../src/host/commands/profile-running.js');

const show = vi.fn<(name: string, result: object) => Promise<void>>();
const command = profileRunningCommand({} as never, show);

beforeEach(() => {
  told.length = 0;
  vi.clearAllMocks();
});

it('“Profile Running Process” records the program that is chosen, as the settings say, and shows what came of it', async () => {
  const result = {profiles: [], isCancelled: false};
  idleRuns.mockResolvedValue([run]);
  picked.mockImplementation(items => items[0]);
  triggerRun.mockResolvedValue(result);
  await command();
  expect(picked.mock.calls[0]?.[0]).toMatchObject([{label: '$(pulse) train.py', description: 'process 4711'}]);
  expect(triggerRun).toHaveBeenCalledWith(run, {steps: 5, stack: true, shapes: false, memory: false});
  expect(show).toHaveBeenCalledWith('train.py', result);
});

it('“Profile Running Process” says how a program is started that can be recorded', async () => {
  idleRuns.mockResolvedValue([]);
  await command();
  expect(told).toEqual([
    'No program waits to be recorded. Start one with “gpu-lens profile --idle -- python train.py”.',
  ]);
  expect(triggerRun).not.toHaveBeenCalled();
});
