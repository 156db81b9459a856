import {beforeEach, expect, it, vi} from 'vitest';
import {disclosureNote} from '../../../src/launch/nsys/nsys-sentences.js';
import type {ProfileResult} from '../../../src/launch/run/profile-result.js';
import {patience} from '../../support/patience.js';

const shown: string[] = [];

const opened: unknown[] = [];

vi.mock('vscode', async () => ({
  l10n: (await import('../../support/vscode-stand-in.js')).l10n,
  Uri: {file: (path: string) => path},
  commands: {executeCommand: (...all: unknown[]) => Promise.resolve(void opened.push(all))},
  window: {
    showErrorMessage: (text: string, ...buttons: string[]) => {
      shown.push(text);
      return Promise.resolve(buttons[0]);
    },
    showInformationMessage: (text: string) => {
      shown.push(text);
      return Promise.resolve(undefined);
    },
  },
}));
vi.mock('../../../src/host/profiles/open-profile.js', () => ({openWithProgress: () => Promise.resolve(null)}));
vi.mock('../../../src/host/views/timeline-view.js', () => ({TimelineView: {show: () => Promise.resolve()}}));
const {showResult} = await import('../../../src/host/run/show-result.js');
const {PrivacyNote} = await import('../../../src/host/profiles/privacy-note.js');

/** What a workspace keeps. */
function memento() {
  const kept = new Map<string, unknown>();
  return {
    get: (key: string) => kept.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
  } as never;
}

function show(
  notes: readonly string[],
  privacy: InstanceType<typeof PrivacyNote>,
  more: Partial<ProfileResult> = {},
): Promise<void> {
  const result: ProfileResult = {profiles: [], status: 0, isCancelled: false, sentences: [], notes, tail: [], ...more};
  const log = {info: () => undefined, warn: () => undefined} as never;
  return showResult('train.py', result, {store: {} as never, privacy, log, showSummary: () => undefined});
}

beforeEach(() => {
  shown.length = 0;
});

it('showResult(name, result) shows all notes in one message', async () => {
  await show(['A step took long.', 'Shapes cost [a](b).'], new PrivacyNote(memento()));
  expect(shown).toEqual(['train.py: A step took long. Shapes cost [a]\u200b(b).']);
  await show([], new PrivacyNote(memento()));
  expect(shown).toHaveLength(1);
});

it('showResult(name, result) tells once in a workspace what a report of nsys holds', async () => {
  const state = memento();
  await show(['3 runs took long.', disclosureNote], new PrivacyNote(state));
  expect(shown).toEqual(['train.py: 3 runs took long.', disclosureNote]);
  await show([disclosureNote], new PrivacyNote(state));
  expect(shown).toHaveLength(2);
});

it('showResult(name, result) leads from a lack of memory to the snapshot of it', async () => {
  const snapshots = [{path: '/runs/train.memory.pickle', rank: 3, isOutOfMemory: true}];
  await show([], new PrivacyNote(memento()), {snapshots});
  await vi.waitFor(() => {
    expect(opened).toEqual([['vscode.openWith', '/runs/train.memory.pickle', 'gpuLens.memory']]);
  }, patience);
  expect(shown).toEqual(['The GPU of rank 3 ran out of memory. The snapshot shows the lines that held it.']);
});

it('showResult(name, result) offers a snapshot without a lack of memory', async () => {
  await show([], new PrivacyNote(memento()), {snapshots: [{path: '/a.pickle', rank: null, isOutOfMemory: false}]});
  expect(shown).toEqual(['A memory snapshot was recorded.']);
});
