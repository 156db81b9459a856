import {mkdtempSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {crc32} from 'node:zlib';
import {afterAll, expect, it, vi} from 'vitest';
import type {LineMemory} from '../../../src/core/memory-snapshot/line-memory.js';
import {SourceIndex} from '../../../src/core/source/source-index.js';
import {noJob} from '../../support/no-job.js';
import {patience} from '../../support/patience.js';
import {filesOfWorkspace} from '../../support/recorded-files.js';
import {noScopes} from '../../support/scopes-stand-in.js';
import {EventEmitter, TextDocument} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {Annotations} = await import('../../../src/host/annotations/annotations.js');
const {DocumentTags} = await import('../../../src/host/annotations/document-tags.js');
const {RecordedSources} = await import('../../../src/host/annotations/recorded-sources.js');
const {MemoryLenses} = await import('../../../src/host/annotations/memory-lenses.js');

const {files} = await filesOfWorkspace();
const folder = mkdtempSync(join(tmpdir(), 'gpu-lens-memory-lenses-'));
afterAll(() => {
  rmSync(folder, {recursive: true});
});

const script = join(folder, 'train.py');
const snapshot = join(folder, 'train.memory.pickle');
const mib = 2 ** 20;
const recorded = ['import torch', 'weights = f()', 'inputs = g()', 'loss = h()', ''];

/** What the runner tells of the file, if it recorded it. */
const sidecar = {
  sites: [],
  files: [{file: script, gitBlob: null, lineCrc32: recorded.map(line => crc32(line))}],
};

function memoryOf(line: number, peakBytes: number): LineMemory {
  const rest = {function: '<module>', heldBytes: 0, largest: [], heldBlocks: 0};
  return {file: script, line, peakBytes, ...rest};
}

const lines = [memoryOf(2, 8 * mib), memoryOf(3, 4 * mib), memoryOf(4, 2 * mib), memoryOf(99, mib), memoryOf(1, 1)];

/** The lenses of an open file with memory, and the document whose lines they are on. */
function lensesOf(text: readonly string[], told: object | null) {
  const document = new TextDocument({path: script, scheme: 'file', fsPath: script}, text.join('\n'));
  const editor = {
    last: {path: snapshot, readable: snapshot, lines, sidecar: told} as object | null,
    onDidChange: new EventEmitter().event,
  };
  const never = new EventEmitter().event;
  const parts = [
    ...[new DocumentTags(), new RecordedSources(files), files, null, {now: new SourceIndex(), onDidChange: never}],
    ...[{activeOpen: null, onDidChange: never}, noScopes, null, {warn: (line: string) => expect.fail(line)}, noJob],
  ];
  const annotations = new (Annotations as new (...all: unknown[]) => InstanceType<typeof Annotations>)(...parts);
  const lenses = new MemoryLenses(editor as never, files, new RecordedSources(files, false), annotations);
  const shown = async () =>
    (await lenses.provideCodeLenses(document as never)).map(({range, command}) => [
      range.start.line + 1,
      command?.title,
    ]);
  const hover = async (line: number) => {
    const at = {line: line - 1, character: 0};
    return (await lenses.provideHover(document as never, at as never))?.contents as {value: string} | undefined;
  };
  return {lenses, document, editor, shown, hover};
}

it('stand on the lines of a recorded text that are still there, wherever they are now', async () => {
  const {document, shown, hover} = lensesOf(['import torch', '# more', '# and more', ...recorded.slice(2)], sidecar);
  expect(await shown()).toEqual([
    [4, 'peak 4.00 MiB'],
    [5, 'peak 2.00 MiB'],
  ]);
  document.insert(0, 0, '# first\n');
  expect(await shown()).toEqual([
    [5, 'peak 4.00 MiB'],
    [6, 'peak 2.00 MiB'],
  ]);
  expect((await hover(5))?.value).toContain('At most 4.00 MiB at once.');
  for (const line of [2, 3, 4]) expect(await hover(line)).toBeUndefined();
});

it('move with edits of a file that is older than a bare snapshot', async () => {
  writeFileSync(script, recorded.join('\n'));
  utimesSync(script, 1, 1);
  writeFileSync(snapshot, '');
  const {lenses, document, shown} = lensesOf(recorded, null);
  const changed = vi.fn();
  lenses.onDidChangeCodeLenses(changed);
  const asRecorded = [
    [2, 'peak 8.00 MiB'],
    [3, 'peak 4.00 MiB'],
    [4, 'peak 2.00 MiB'],
  ];
  // The text on the disk is not read yet.
  expect(await shown()).toEqual(asRecorded);
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1), patience);
  expect(await shown()).toEqual(asRecorded);
  document.insert(2, 0, '# more\n');
  expect(await shown()).toEqual([
    [2, 'peak 8.00 MiB'],
    [4, 'peak 4.00 MiB'],
    [5, 'peak 2.00 MiB'],
  ]);
  expect(changed).toHaveBeenCalledTimes(1);
});

it('are none of a snapshot that was closed while the lines were looked for', async () => {
  const {editor, shown, hover} = lensesOf(recorded, sidecar);
  const asked = shown();
  editor.last = null;
  expect(await asked).toEqual([]);
  expect(await hover(2)).toBeUndefined();
});
