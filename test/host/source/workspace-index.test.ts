import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished, vi} from 'vitest';
import {EventEmitter} from '../../support/vscode-stand-in.js';
import {patience} from '../../support/patience.js';

const created = new EventEmitter();
const findFiles = vi.fn<(pattern: unknown) => Promise<{scheme: string; fsPath: string}[]>>();
vi.mock('vscode', async () => {
  const standIn = await import('../../support/vscode-stand-in.js');
  const event = new standIn.EventEmitter().event;
  const watcher = (onDidCreate: unknown) => ({
    onDidCreate,
    onDidChange: event,
    onDidDelete: event,
    dispose: () => undefined,
  });
  const workspace = {
    findFiles: (pattern: unknown) => findFiles(pattern),
    createFileSystemWatcher: (pattern: string) => watcher(pattern === '**' ? created.event : event),
    onDidChangeWorkspaceFolders: event,
  };
  class RelativePattern {
    constructor(readonly base: {fsPath: string}) {}
  }
  return {...standIn, workspace, RelativePattern};
});
const {WorkspaceIndex} = await import('../../../src/host/source/workspace-index.js');

function indexOfTests(): {index: InstanceType<typeof WorkspaceIndex>; read: string[]} {
  const read: string[] = [];
  const client = {read: (paths: string[]) => Promise.resolve(read.push(...paths)), dispose: () => Promise.resolve()};
  const log = {warn: () => undefined, debug: () => undefined};
  const index = new WorkspaceIndex(client as never, log as never);
  onTestFinished(() => {
    index.dispose();
  });
  return {index, read};
}

it('WorkspaceIndex looks for files again where that failed', async () => {
  const {index, read} = indexOfTests();
  findFiles.mockRejectedValueOnce(new Error('no search'));
  await index.whenRead();
  expect(read).toEqual([]);
  findFiles.mockResolvedValueOnce([{scheme: 'file', fsPath: '/w/a.py'}]);
  await index.whenRead();
  expect(read).toEqual(['/w/a.py']);
});

it('WorkspaceIndex looks once into a folder that came with others in it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-lens-index-'));
  onTestFinished(() => {
    rmSync(folder, {recursive: true});
  });
  const {index, read} = indexOfTests();
  findFiles.mockResolvedValue([]);
  await index.whenRead();
  findFiles.mockClear();
  findFiles.mockResolvedValue([{scheme: 'file', fsPath: join(folder, 'new', 'a.py')}]);
  for (const name of ['new', 'new/one', 'new/one/two']) {
    mkdirSync(join(folder, name));
    created.fire({scheme: 'file', path: join(folder, name), fsPath: join(folder, name)});
  }
  // Of a build: a program has no extension either.
  created.fire({scheme: 'file', path: join(folder, 'gone'), fsPath: join(folder, 'gone')});
  await vi.waitFor(() => {
    expect(read).toHaveLength(1);
  }, patience);
  expect(findFiles.mock.calls.map(([pattern]) => pattern)).toEqual([
    {base: expect.objectContaining({fsPath: join(folder, 'new')}) as unknown},
  ]);
});
