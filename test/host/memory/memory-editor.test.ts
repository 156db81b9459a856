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

/** The file that the user chooses in the dialog; null for none. */
let chosen: string | null = null;
vi.mock('vscode', async () => {
  const standIn = await import('../../support/vscode-stand-in.js');
  const showOpenDialog = () => Promise.resolve(chosen === null ? undefined : [{fsPath: chosen}]);
  return {
    ...standIn,
    commands: {executeCommand: () => Promise.resolve()},
    window: {...standIn.window, showOpenDialog},
  };
});
vi.mock('../../../src/host/views/webview-html.js', () => ({webviewHtml: () => '', webviewOptions: () => ({})}));
const {MemoryEditor} = await import('../../../src/host/memory/memory-editor.js');

const folder = temporaryFolder();
const path = join(folder, 'snapshot.pickle');
const profile = join(folder, 'profile.json');
// Begins 1 ms before the snapshot's first event.
writeFileSync(profile, kinetoText([kineto.op('aten::mm', 1_773_270_053_000_137 - 1000, 20_000)]));

/** A time of the profile, after a number of the snapshot's events. */
const timeAfter = (events: number) => ({
  ...{profile: {path: profile, state: {summary: {id: 1}}}, device: 0},
  atNs: 1_000_000 + (events - 1) * 137_000,
});

/** Opens the snapshot of one step in an editor. */
async function openPage() {
  writeFileSync(path, pickleOf(trainingSnapshot({steps: 1})));
  const handlers = memoryHandlers(new OpenSnapshots(() => ({}), openTrace), () => openTrace(profile));
  const context = {signal: new AbortController().signal, report: () => undefined};
  /** The engine's next answers to a method wait for these, in turn. */
  const waits: Partial<Record<keyof typeof handlers, Promise<unknown>[]>> = {};
  const asked: string[] = [];
  const ask = async (method: keyof typeof handlers, params: never) => {
    const answer: unknown = await handlers[method](params, context);
    asked.push(method);
    await waits[method]?.shift();
    return answer;
  };
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
  const page = connect<MemoryHostRequests>(port);
  await page.ask('view/ready', undefined);
  await expect.poll(() => editor.last).not.toBeNull();
  const shown = () => told.findLast(content => content.state === 'open');
  return {editor, page, told, shown, asked, waits};
}

it('a page that is to show a time of the next run first reads the snapshot that the run has rewritten', async () => {
  const {editor, told, shown} = await openPage();
  const before = shown();

  writeFileSync(path, pickleOf(trainingSnapshot({steps: 2})));
  utimesSync(path, 1, 1);
  await editor.showAt(timeAfter(11) as never);
  await expect.poll(() => shown()?.overview.stamp).not.toBe(before?.overview.stamp);
  expect(shown()).toMatchObject({at: {device: 0, moment: 11}});
  const places = told.flatMap(content => (content.state === 'open' && content.at ? [content.overview.stamp] : []));
  expect(new Set(places)).toEqual(new Set([shown()?.overview.stamp]));
});

it('a page whose file is read again while its place is found shows the last wanted place after that', async () => {
  const {editor, page, told, shown, asked, waits} = await openPage();
  for (const isNewerWanted of [false, true]) {
    const [place, reading] = [Promise.withResolvers(), Promise.withResolvers()];
    // The first question finds the file that shows the time.
    waits['memory/at'] = [Promise.resolve(), place.promise];
    waits['memory/open'] = [reading.promise];
    asked.length = 0;
    const showing = editor.showAt(timeAfter(11) as never);
    await expect.poll(() => asked.filter(method => method === 'memory/at')).toHaveLength(2);
    await page.ask('memory/again', undefined);
    await expect.poll(() => asked).toContain('memory/open');
    if (isNewerWanted) await editor.showAt(timeAfter(7) as never);
    place.resolve(undefined);
    await showing;
    expect(told.at(-1)?.state).toBe('opening');
    reading.resolve(undefined);
    await expect.poll(() => told.at(-1)?.state).toBe('open');
    expect(shown()).toMatchObject({at: {device: 0, moment: isNewerWanted ? 7 : 11}});
  }
});

it('a page compares its snapshot with files that the user chose, and names no other for the engine to read', async () => {
  const {page, shown, asked} = await openPage();
  const of = {stamp: shown()?.overview.stamp ?? '', device: 0};
  const other = join(folder, 'other.pickle');
  writeFileSync(other, pickleOf(trainingSnapshot({scale: 2})));
  chosen = null;
  expect(await page.ask('memory/compare', {...of, other})).toBeNull();
  expect(asked).not.toContain('memory/other');
  chosen = other;
  expect(await page.ask('memory/compare', {...of, other: null})).toMatchObject({path: other, name: 'other.pickle'});
  // It was chosen, and no dialog asks again.
  chosen = null;
  expect(await page.ask('memory/compare', {...of, other})).toMatchObject({path: other});
});
