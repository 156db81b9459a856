import {crc32} from 'node:zlib';
import {expect, it, vi} from 'vitest';
import {SourceIndex} from '../../../src/core/source/source-index.js';
import {noJob} from '../../support/no-job.js';
import {scopesOf} from '../../support/scopes-stand-in.js';
import {filesOfWorkspace} from '../../support/recorded-files.js';
import {EventEmitter, TextDocument, trusted} from '../../support/vscode-stand-in.js';
import {patience} from '../../support/patience.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {Annotations} = await import('../../../src/host/annotations/annotations.js');
const {DocumentTags} = await import('../../../src/host/annotations/document-tags.js');
const {RecordedSources} = await import('../../../src/host/annotations/recorded-sources.js');

const {files} = await filesOfWorkspace();

const text = 'import torch\nwith torch.profiler.record_function(name()):\n    pass\n';
const path = '/w/train.py';
const sidecar = {
  sites: [{name: 'seen', file: path, line: 2, count: 1}],
  files: [{file: path, gitBlob: null, lineCrc32: text.split('\n').map(line => crc32(line))}],
};
const profileOf = (key: number) => ({
  key,
  path: '/w/p.json',
  state: {kind: 'open', summary: {id: key, info: {}}, sidecar},
});

/** Annotations of a document, with an engine that answers when it is told to. */
function annotated() {
  const store = {
    activeOpen: profileOf(1) as ReturnType<typeof profileOf> | null,
    onDidChange: new EventEmitter().event,
  };
  const answers: (() => void)[] = [];
  const asked: unknown[] = [];
  const scopesAsked: unknown[] = [];
  const scopes = scopesOf(null);
  const index = new EventEmitter();
  const engine = {
    ask: (_: string, question: {patterns: unknown[]; of: unknown}) => {
      asked.push(question.patterns);
      scopesAsked.push(question.of);
      const timings = question.patterns.map(() => ({names: [], nameCount: 1}));
      return new Promise(resolve => answers.push(() => resolve(timings)));
    },
  };
  const never = {timings: () => Promise.resolve(null)};
  const log = {warn: () => undefined};
  const parts = [
    new DocumentTags(),
    new RecordedSources(files),
    files,
    never,
    {now: new SourceIndex(), onDidChange: index.event},
    store,
    scopes,
    engine,
    log,
    noJob,
  ];
  const annotations = new (Annotations as new (...all: unknown[]) => InstanceType<typeof Annotations>)(...parts);
  return {
    annotations,
    store,
    scopes,
    index,
    answers,
    asked,
    scopesAsked,
    document: new TextDocument({path, scheme: 'file', fsPath: path}, text),
  };
}

it('annotations of a profile that was closed while they were asked for are none', async () => {
  for (const isClosed of [false, true]) {
    const {annotations, store, answers, document} = annotated();
    const lines = annotations.of(document as never);
    await vi.waitFor(() => expect(answers).toHaveLength(1), patience);
    if (isClosed) store.activeOpen = null;
    answers[0]?.();
    expect(await lines).toHaveLength(isClosed ? 0 : 1);
  }
});

it('figures are of the window that the profile is scoped to, and asked anew when that changes', async () => {
  const {annotations, scopes, answers, scopesAsked, document} = annotated();
  let changes = 0;
  annotations.onDidChange(() => changes++);
  const window = {fromNs: 1, toNs: 2};
  for (const [round, scope] of [null, window, null].entries()) {
    if (round > 0) scopes.set(scope);
    const lines = annotations.of(document as never);
    await vi.waitFor(() => expect(answers).toHaveLength(round + 1), patience);
    answers[round]?.();
    expect(await lines).toHaveLength(1);
  }
  expect(scopesAsked).toEqual(['steps', window, 'steps']);
  expect(changes).toBe(2);
});

it('a computed name stays with its line when lines come above it', async () => {
  const {annotations, answers, asked, document} = annotated();
  for (const round of [1, 2]) {
    const lines = annotations.of(document as never);
    await vi.waitFor(() => expect(asked).toHaveLength(1), patience);
    answers[0]?.();
    expect((await lines).map(({tag}) => tag.line)).toEqual([round + 1]);
    document.insert(0, 0, '# more\n');
  }
  expect(asked).toEqual([[[['seen']]]]);
});

it('annotations are told anew, once, when what other files hold has been read', () => {
  vi.useFakeTimers();
  try {
    const {annotations, index} = annotated();
    const changed = vi.fn();
    annotations.onDidChange(changed);
    for (let batch = 0; batch < 5; batch++) index.fire(undefined);
    expect(changed).not.toHaveBeenCalled();
    vi.runAllTimers();
    expect(changed.mock.calls).toEqual([[null]]);
    index.fire(undefined);
    annotations.dispose();
    vi.runAllTimers();
    expect(changed).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});

it('annotations are told anew when the workspace is trusted, where git knows more recorded texts', () => {
  vi.useFakeTimers();
  try {
    const {annotations} = annotated();
    const changed = vi.fn();
    annotations.onDidChange(changed);
    trusted.fire(undefined);
    vi.runAllTimers();
    expect(changed.mock.calls).toEqual([[null]]);
    annotations.dispose();
  } finally {
    vi.useRealTimers();
  }
});
