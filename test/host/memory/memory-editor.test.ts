import {utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it, vi} from 'vitest';
import {memoryHandlers} from '../../../src/engine/memory-handlers.js';
import {OpenSnapshots} from '../../../src/engine/open-snapshots.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import type {MemoryContent, MemoryHostRequests, MemoryViewRequests} from '../../../src/protocol/memory-messages.js';
import {connect, serve} from '../../../src/protocol/rpc.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {pickleOf} from '../../support/pickle-writer.js';
import {temporaryFolder} from '../../support/project.js';
import {trainingSnapshot} from '../../support/training-snapshot.js';
import {webviewEnds} from '../../support/webview-ends.js';

vi.mock('vscode', async () => ({
  ...(await import('../../support/vscode-stand-in.js')),
  commands: {executeCommand: () => Promise.resolve()},
}));
vi.mock('../../../src/host/views/webview-html.js', () => ({webviewHtml: () => '', webviewOptions: () => ({})}));
const {MemoryEditor} = await import('../../../src/host/memory/memory-editor.js');

const folder = temporaryFolder();
const path = join(folder, 'snapshot.pickle');
const profile = join(folder, 'profile.json');
writeFileSync(path, pickleOf(trainingSnapshot({steps: 1})));
// Begins 1 ms before the snapshot's first event.
writeFileSync(profile, kinetoText([kineto.op('aten::mm', 1_773_270_053_000_137 - 1000, 20_000)]));

it('a page that is to show a time of the next run first reads the snapshot that the run has rewritten', async () => {
  const handlers = memoryHandlers(new OpenSnapshots(() => ({}), openTrace), () => openTrace(profile));
  const context = {signal: new AbortController().signal, report: () => undefined};
  const ask = (method: keyof typeof handlers, params: never) => Promise.resolve(handlers[method](params, context));
  const changes = () => ({dispose: () => undefined});
  const editor = new MemoryEditor(
    {} as never,
    {
      engine: {ask},
      store: {},
      jobs: {onDidChange: changes},
      makeReadable: (file: string) => Promise.resolve(file),
      log: {warn: () => undefined},
    } as never,
  );
  const {webview, port} = webviewEnds();
  const told: MemoryContent[] = [];
  const take = (content: MemoryContent) => void told.push(content);
  serve<MemoryViewRequests>(port, {'memory/content': take} as never);
  const panel = {webview, visible: true, onDidDispose: changes, onDidChangeViewState: changes};
  editor.resolveCustomEditor({uri: {fsPath: path}} as never, panel as never);
  await connect<MemoryHostRequests>(port).ask('view/ready', undefined);
  await expect.poll(() => editor.last).not.toBeNull();
  const shown = () => told.findLast(content => content.state === 'open');
  const before = shown();

  writeFileSync(path, pickleOf(trainingSnapshot({steps: 2})));
  utimesSync(path, 1, 1);
  const time = {profile: {path: profile, state: {summary: {id: 1}}}, atNs: 1_000_000 + 10 * 137_000, device: 0};
  await editor.showAt(time as never);
  await expect.poll(() => shown()?.overview.stamp).not.toBe(before?.overview.stamp);
  expect(shown()).toMatchObject({at: {device: 0, moment: 11}});
  const places = told.flatMap(content => (content.state === 'open' && content.at ? [content.overview.stamp] : []));
  expect(new Set(places)).toEqual(new Set([shown()?.overview.stamp]));
});
