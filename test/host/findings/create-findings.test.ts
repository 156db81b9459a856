import {beforeEach, expect, it, vi} from 'vitest';
import {patience} from '../../support/patience.js';
import {EventEmitter, settings, TextDocument, trusted, window, workspace} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {createFindingsView} = await import('../../../src/host/findings/create-findings.js');
const {FindingsStore} = await import('../../../src/host/findings/known-findings.js');

const saved = new EventEmitter();
const never = new EventEmitter().event;
Object.assign(workspace, {
  createFileSystemWatcher: (pattern: string) => ({
    ...{onDidCreate: never, onDidChange: pattern === '**/.gpu-lens.json' ? saved.event : never, onDidDelete: never},
    dispose: () => undefined,
  }),
});

beforeEach(() => {
  settings.clear();
});

it.each([
  {what: 'a dismissal is saved', event: saved},
  {what: 'the workspace is trusted, where rules and dismissals count', event: trusted},
])('findings are found anew, and the summary is told, when $what', async ({event}) => {
  const path = '/w/train.py';
  window.visibleTextEditors = [{document: new TextDocument({path, scheme: 'file', fsPath: path}, 'import torch\n')}];
  const search = vi.fn(() => Promise.resolve({findings: [], hasGpuWork: true, notes: []}));
  const log = {warn: (line: string) => expect.fail(line)};
  const findings = new FindingsStore(search, log as never);
  const tellSummary = vi.fn();
  const profile = {key: 1, name: 'run.json', state: {summary: {}}} as never;
  const {disposable} = createFindingsView({
    ...{store: {activeOpen: profile, onDidChange: never}, findings, files: {}, tellSummary, log},
    annotations: {onDidChange: never, onDidEdit: never},
  } as never);
  findings.ask(profile);
  await vi.waitFor(() => expect(findings.of(profile)).not.toBeNull(), patience);
  expect(search).toHaveBeenCalledTimes(1);
  expect(tellSummary).not.toHaveBeenCalled();
  event.fire(undefined);
  expect(tellSummary).toHaveBeenCalledTimes(1);
  await vi.waitFor(() => expect(search).toHaveBeenCalledTimes(2), patience);
  disposable.dispose();
  event.fire(undefined);
  expect(tellSummary).toHaveBeenCalledTimes(1);
});

it('a command of a row that VS Code does not know shows nothing else in its place', async () => {
  const {commands, disposable} = createFindingsView({
    ...{store: {activeOpen: null, onDidChange: never}, findings: {onDidChange: never}},
    annotations: {onDidChange: never, onDidEdit: never},
  } as never);
  for (const id of ['gpuLens.revealFinding', 'gpuLens.showFindingInTimeline']) {
    window.told.length = 0;
    await commands[id]?.(undefined as never);
    expect(window.told).toEqual(['The list was just updated. Choose again.']);
  }
  disposable.dispose();
});
