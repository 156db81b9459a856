import {beforeEach, expect, it, vi} from 'vitest';
import {window, workspace} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {profileModelStepCommand, runPlan} = await import('../../../src/host/commands/profile-model-step.js');

beforeEach(() => {
  window.told.length = 0;
  workspace.isTrusted = true;
});

/** Runs that are noted. */
function noted() {
  const started: unknown[] = [];
  const kept: unknown[] = [];
  const services = {
    runs: {start: (plan: unknown) => Promise.resolve(started.push(plan))},
    lastRun: {keep: (plan: unknown) => Promise.resolve(kept.push(plan))},
    log: {error: (text: unknown) => expect.fail(String(text))},
  };
  return {started, kept, services: services as never};
}

it('a workspace that is not trusted runs nothing, asks for nothing, and is told why', async () => {
  workspace.isTrusted = false;
  const {started, kept, services} = noted();
  await profileModelStepCommand(services)();
  await profileModelStepCommand(services)({scheme: 'file', path: '/w/a.py', fsPath: '/w/a.py'});
  await runPlan(services, () => expect.fail('was asked'));
  expect(window.told).toEqual(
    Array.from({length: 3}, () => 'GPU Lens runs scripts only in a trusted workspace. Profiles can be opened.'),
  );
  expect([started, kept]).toEqual([[], []]);
});

it('a trusted one runs what was chosen, and keeps it for another time where that is wanted', async () => {
  const {started, kept, services} = noted();
  const plan = {name: 'train.py'} as never;
  await runPlan(services, () => Promise.resolve(plan));
  await runPlan(services, () => Promise.resolve(plan), false);
  await runPlan(services, () => Promise.resolve(undefined));
  expect([started, kept, window.told]).toEqual([[plan, plan], [plan], []]);
});
