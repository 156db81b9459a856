import {beforeEach, expect, it, vi} from 'vitest';
import type {HostRequests, TimelineViewRequests} from '../../../src/protocol/view-messages.js';
import {connect, serve} from '../../../src/protocol/rpc.js';
import {settle} from '../../support/page.js';
import {webviewEnds} from '../../support/webview-ends.js';

const commands: string[] = [];
let openWith: (path: string) => void = () => undefined;
const told: string[] = [];
const logged: string[] = [];
vi.mock('vscode', async () => ({
  ...(await import('../../support/vscode-stand-in.js')),
  Uri: {
    file: (path: string) => ({fsPath: path}),
    joinPath: (_: unknown, ...parts: string[]) => ({fsPath: parts.join('/')}),
  },
  ViewColumn: {Active: -1},
  window: {
    showInformationMessage: (text: string) => Promise.resolve(void told.push(text)),
    showErrorMessage: (text: string) => Promise.resolve(void told.push(text)),
  },
  commands: {
    executeCommand: (command: string, uri?: {fsPath: string}) => {
      commands.push(command);
      if (command === 'vscode.openWith') openWith(uri?.fsPath ?? '');
      return Promise.resolve();
    },
  },
}));
vi.mock('../../../src/host/views/webview-html.js', () => ({webviewHtml: () => '', webviewOptions: () => ({})}));
const {TraceEditor} = await import('../../../src/host/views/trace-editor.js');
const {showBothTimelinesCommand} = await import('../../../src/host/commands/show-both-timelines.js');

/** An editor's page as VS Code has it: what the host asks of it, and how it asks the host. */
function pageOf() {
  const {webview, port} = webviewEnds();
  const closed: (() => void)[] = [];
  const asked: [string, unknown][] = [];
  const take = (method: string) => (params: unknown) => void asked.push([method, params]);
  const names = ['view/content', 'timeline/link', 'timeline/linked'];
  serve<TimelineViewRequests>(port, Object.fromEntries(names.map(name => [name, take(name)])) as never);
  const {ask} = connect<HostRequests>(port);
  const panel = {
    ...{webview, visible: true, active: true},
    onDidDispose: (listener: () => void) => void closed.push(listener),
    onDidChangeViewState: () => undefined,
  };
  const last = (method: string) => asked.findLast(([name]) => name === method)?.[1];
  return {panel, ask, last, close: () => closed.forEach(listener => listener())};
}

const step = (number: number, startNs: number) => ({number, slice: number, process: 0, startNs, endNs: startNs + 90});
const profile = (path: string, steps: unknown[], tables?: object) => ({
  ...{path, name: path, key: 1},
  state: {kind: 'open', summary: {info: {spanNs: 1000, ...(tables && {tables})}, steps}},
});
const [before, after] = [profile('before', [step(3, 100), step(4, 200)]), profile('after', [step(3, 500)])];

let pages: ReturnType<typeof pageOf>[] = [];
let editors: InstanceType<typeof TraceEditor>;
let summaries = 0;
beforeEach(() => {
  pages = [];
  summaries = 0;
  commands.length = told.length = logged.length = 0;
  const entries = new Map([before, after].map(entry => [entry.path, entry]));
  const never = () => ({dispose: () => undefined});
  const store = {
    entry: (path: string) => entries.get(path) ?? null,
    openFile: (path: string) => Promise.resolve(entries.get(path)),
    ...{leaveOpening: () => undefined, activate: () => undefined, onDidChange: never},
  };
  const scopes = {of: () => null, onDidChange: never};
  const jobs = {onDidChange: never};
  editors = new TraceEditor({} as never, {store, jobs, scopes, memory: {}} as never, () => summaries++);
  openWith = path => {
    const page = pageOf();
    for (const {panel} of pages) panel.active = false;
    pages.push(page);
    editors.resolveCustomEditor(editors.openCustomDocument({fsPath: path} as never), page.panel as never);
  };
});

const show = (...sides: object[]) =>
  showBothTimelinesCommand({shownSides: sides.length > 0 ? sides : null} as never, editors, {
    error: (text: string) => void logged.push(text),
  } as never)();

it('opens the base here and the changed run below, alone, and links both once their pages show them', async () => {
  await show({profile: before, name: 'A', part: {selection: {step: 4}}}, {profile: after, name: 'B'});
  expect(commands).toEqual(['vscode.openWith', 'workbench.action.newGroupBelow', 'vscode.openWith']);
  const [above, below] = pages;
  for (const page of pages) await page.ask('view/ready', undefined);
  await settle();
  expect(above?.last('timeline/link')).toMatchObject({
    link: {
      name: 'B',
      own: {compared: {fromNs: 200, toNs: 290}, at: 1},
      other: {compared: {fromNs: 500}, at: 0},
      view: null,
    },
  });
  expect(below?.last('timeline/link')).toMatchObject({link: {name: 'A', own: {compared: {fromNs: 500}}}});
  expect({summaries, logged}).toEqual({summaries: 0, logged: []});

  const view = {ahead: 0, fromNs: -5, toNs: 40, cursorNs: 7};
  await above?.ask('timeline/linked', view);
  expect(below?.last('timeline/linked')).toEqual(view);
  expect(above?.last('timeline/linked')).toBeUndefined();
  below?.close();
  await settle();
  expect(above?.last('timeline/link')).toEqual({link: null});
});

it('links two editors of one file, and not one with itself', async () => {
  await show(
    {profile: before, name: 'step 3', part: {selection: {step: 3}}},
    {profile: before, name: 'step 4', part: {selection: {step: 4}}},
  );
  for (const page of pages) await page.ask('view/ready', undefined);
  await settle();
  expect(pages.map(page => (page.last('timeline/link') as {link: {name: string}}).link.name)).toEqual([
    'step 4',
    'step 3',
  ]);
});

it('says why it cannot: nothing is compared, or printed tables are', async () => {
  await show();
  await show({profile: before, name: 'A'}, {profile: profile('text', [], []), name: 'B'});
  expect(told).toEqual([
    'No two runs are compared. Compare the active profile with another one first.',
    'Printed tables have no timeline. Compare two profiles instead.',
  ]);
  expect(commands).toEqual([]);
});

it('says so where an editor does not open, and summaries open again', async () => {
  vi.useFakeTimers();
  try {
    const open = openWith;
    openWith = () => undefined;
    const shown = show({profile: before, name: 'A'}, {profile: after, name: 'B'});
    await vi.advanceTimersByTimeAsync(30_000);
    await shown;
    expect(logged).toHaveLength(1);
    expect(told).toContain('The timeline of before did not open. Open the file by itself to see why.');
    open('after');
    await vi.advanceTimersByTimeAsync(0);
    expect(summaries).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});
