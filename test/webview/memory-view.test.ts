// @vitest-environment jsdom
import {utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it, onTestFinished, vi} from 'vitest';
import {TraceError} from '../../src/core/base/errors.js';
import {memoryHandlers} from '../../src/engine/memory-handlers.js';
import {OpenSnapshots} from '../../src/engine/open-snapshots.js';
import {openTrace} from '../../src/importers/open-trace.js';
import type {MemoryHostRequests, MemoryViewRequests} from '../../src/protocol/memory-messages.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {completePage, settle, TestHost} from '../support/page.js';
import {temporaryFolder} from '../support/project.js';

completePage();
// It needs the page when it is read.
const {MemoryView} = await import('../../webview/memory/memory-view.js');

const folder = temporaryFolder();
/** A profile of 40 bytes on a GPU whose reserved memory nobody tells, and of 7 on the host. */
const snapshot = join(folder, 'run.json');
const memory = (ts: number, bytes: number, device: number) => ({
  ...{ph: 'i', s: 't', cat: 'cpu_instant_event', name: '[memory]', pid: 100, tid: 100, ts},
  args: {Bytes: bytes, Addr: ts, 'Device Type': device < 0 ? 0 : 1, 'Device Id': device, 'Total Allocated': bytes},
});
writeFileSync(snapshot, kinetoText([kineto.range('forward', 0, 90), memory(10, 40, 0), memory(20, 7, -1)]));

const engine = memoryHandlers(new OpenSnapshots(() => ({}), openTrace), () => openTrace(snapshot));
const context = {signal: new AbortController().signal, report: () => undefined};

it('MemoryView begins at the moment that is wanted, and leads to the timeline or says why it cannot', async () => {
  const moments: object[] = [];
  const answers = Object.fromEntries(
    (['memory/curve', 'memory/moment', 'memory/kept'] as const).map(name => [
      name,
      (params: object) => {
        if (name === 'memory/moment') moments.push(params);
        return engine[name]({...params, snapshot} as never, context);
      },
    ]),
  );
  const host = new TestHost<MemoryHostRequests, MemoryViewRequests>({...answers, 'view/ready': () => undefined});
  new MemoryView(host.host, document.body).start();
  const overview = await engine['memory/open']({snapshot, lines: []}, context);
  await host.tell('memory/content', {state: 'open', name: 'run.json', overview, at: {device: 1, moment: 0}});
  const said = () => document.querySelector('[data-testid=said]')?.textContent;
  await expect.poll(said).toBe('before the first event: 0 B in 0 blocks');
  // Told again without a place, it stays there.
  moments.length = 0;
  await host.tell('memory/content', {state: 'open', name: 'run.json', overview, at: null});
  await expect.poll(() => moments.length).toBeGreaterThan(0);
  await settle();
  expect(moments).toEqual([expect.objectContaining({device: 1, moment: 0})]);
  host.stored = null;
  await host.tell('memory/content', {state: 'open', name: 'run.json', overview, at: null});
  await expect.poll(said).toBe('after event 0: 40 B in 1 block');
  expect(document.body.textContent).toContain('forward');
  // No segments are known: nothing is said of them.
  expect(document.body.textContent).not.toMatch(/reserved|Free at the end/);

  const button = [...document.querySelectorAll('*')].find(one => one.textContent === 'Show in timeline');
  button?.dispatchEvent(new Event('click', {bubbles: true}));
  await settle();
  const [asked] = host.asked('memory/timeline');
  expect(asked?.params).toEqual({stamp: overview.stamp, device: 0, moment: 1});
  asked?.answer(false);
  await expect.poll(said).toContain('No open profile is of this moment.');
});

it('MemoryView does not draw a late flame graph under another tab', async () => {
  document.body.replaceChildren();
  const names = ['memory/curve', 'memory/moment'] as const;
  const answers = Object.fromEntries(
    names.map(name => [name, (params: object) => engine[name]({...params, snapshot} as never, context)]),
  );
  const host = new TestHost<MemoryHostRequests, MemoryViewRequests>({...answers, 'view/ready': () => undefined});
  new MemoryView(host.host, document.body).start();
  const overview = await engine['memory/open']({snapshot, lines: []}, context);
  await host.tell('memory/content', {state: 'open', name: 'run.json', overview, at: null});
  const choose = (tab: string) =>
    [...document.querySelectorAll('[role=tab]')]
      .find(one => one.textContent === tab)
      ?.dispatchEvent(new Event('click', {bubbles: true}));
  const panel = () => document.querySelector('.panel');
  await expect.poll(() => panel()?.textContent).toContain('forward');
  choose('Flame graph');
  const [asked] = host.asked('memory/flame');
  const graph = await engine['memory/flame']({stamp: overview.stamp, device: 0, moment: 1, snapshot}, context);
  choose('By line');
  await settle();
  asked?.answer(graph);
  await settle();
  expect([panel()?.querySelector('canvas'), panel()?.textContent]).toEqual([null, expect.stringContaining('forward')]);
  choose('Flame graph');
  host.asked('memory/flame')[1]?.answer(graph);
  await expect.poll(() => panel()?.querySelector('canvas')).toBeTruthy();
});

it('MemoryView sets what a model takes by formula beside the categories of the moment', async () => {
  document.body.replaceChildren();
  const names = ['memory/curve', 'memory/moment'] as const;
  const answers = Object.fromEntries(
    names.map(name => [name, (params: object) => engine[name]({...params, snapshot} as never, context)]),
  );
  const host = new TestHost<MemoryHostRequests, MemoryViewRequests>({...answers, 'view/ready': () => undefined});
  new MemoryView(host.host, document.body).start();
  const overview = await engine['memory/open']({snapshot, lines: []}, context);
  await host.tell('memory/content', {state: 'open', name: 'run.json', overview, at: null});
  const tab = () => [...document.querySelectorAll('[role=tab]')].find(one => one.textContent === 'Estimate');
  await expect.poll(tab).toBeDefined();
  tab()?.dispatchEvent(new Event('click', {bubbles: true}));
  const cells = () =>
    [...document.querySelectorAll('.panel .body .row')].map(row => [...row.children].map(cell => cell.textContent));
  // 48 layers of 1,600, and 50,257 words twice, in two bytes each.
  await expect.poll(() => cells()[0]?.slice(2)).toEqual(['-3.05 GiB', 'parameters']);
  expect(cells().at(-1)?.slice(1, 2)).toEqual(['40 B']);

  const batch = document.querySelector<HTMLInputElement>('[aria-label=Batch]');
  if (!batch) throw new Error('There is no field for the batch.');
  batch.value = '';
  batch.dispatchEvent(new Event('input', {bubbles: true}));
  const said = () => document.querySelector('[data-testid=estimate]')?.textContent;
  expect(said()).toBe('batch must be a whole number from 1 to 1,099,511,627,776, not NaN.');
  expect(cells()).toEqual([]);
});

it('MemoryView shows its moment, its stacking, its mark and its tab again after it was hidden', async () => {
  const names = ['memory/curve', 'memory/moment', 'memory/difference'] as const;
  const answers = Object.fromEntries(
    names.map(name => [name, (params: object) => engine[name]({...params, snapshot} as never, context)]),
  );
  const overview = await engine['memory/open']({snapshot, lines: []}, context);
  const said = () => document.querySelector('[data-testid=said]')?.textContent;
  const tab = () => document.querySelector('[role=tab][aria-selected=true]')?.textContent;
  const pageOf = async (stored: unknown, shown: typeof overview) => {
    document.body.replaceChildren();
    const host = new TestHost<MemoryHostRequests, MemoryViewRequests>({...answers, 'view/ready': () => undefined});
    host.stored = stored;
    new MemoryView(host.host, document.body).start();
    await host.tell('memory/content', {state: 'open', name: 'run.json', overview: shown, at: null});
    await expect.poll(said).toMatch(/ block/);
    return host;
  };
  const first = await pageOf(null, overview);
  const chart = document.querySelector('canvas');
  const press = (key: string) => chart?.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
  press('b');
  press('ArrowLeft');
  await expect.poll(said).toBe('before the first event: 0 B in 0 blocks');
  expect(tab()).toBe('Change');
  const by = document.querySelector<HTMLElement & {value: string}>('vscode-dropdown[aria-label="Stack by"]');
  if (by) by.value = 'size';
  by?.dispatchEvent(new Event('change'));
  const tables = [...document.querySelectorAll<HTMLElement>('[role=tab]')];
  tables.find(one => one.textContent === 'Blocks')?.click();
  const kept: unknown = JSON.parse(JSON.stringify(first.stored));
  await pageOf(kept, overview);
  expect([said(), tab()]).toEqual(['before the first event: 0 B in 0 blocks', 'Blocks']);
  const again = document.querySelector<HTMLElement & {value: string}>('vscode-dropdown[aria-label="Stack by"]');
  expect(again?.value).toBe('size');
  // Another version of the file has other moments.
  const [device] = overview.devices;
  await pageOf(kept, {...overview, devices: device ? [{...device, events: device.events + 1}] : []});
  expect([said(), tab()]).toEqual(['after event 0: 40 B in 1 block', 'By line']);
});

/** Shows a snapshot on a new page. All questions but the `answered` ones wait for the test. */
function startedView(
  path: string,
  answered: readonly ('memory/curve' | 'memory/moment')[] = ['memory/curve', 'memory/moment'],
) {
  document.body.replaceChildren();
  const answers = Object.fromEntries(
    answered.map(name => [name, (params: object) => engine[name]({...params, snapshot: path} as never, context)]),
  );
  const host = new TestHost<MemoryHostRequests, MemoryViewRequests>({...answers, 'view/ready': () => undefined});
  new MemoryView(host.host, document.body).start();
  const show = async () => {
    const overview = await engine['memory/open']({snapshot: path, lines: []}, context);
    await host.tell('memory/content', {state: 'open', name: 'run.json', overview, at: null});
    return overview;
  };
  return {host, show};
}
const text = (selector: string) => document.querySelector(selector)?.textContent;
const press = (words: string) =>
  [...document.querySelectorAll('vscode-button')]
    .find(one => one.textContent === words)
    ?.dispatchEvent(new Event('click', {bubbles: true}));
const pressKey = (key: string) =>
  document.querySelector('canvas')?.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
const chooseTab = (title: string) =>
  [...document.querySelectorAll<HTMLElement>('[role=tab]')].find(one => one.textContent === title)?.click();
async function chooseDevice(device: number): Promise<void> {
  const choice = document.querySelector<HTMLElement & {value: string}>('vscode-dropdown[aria-label=Device]');
  if (choice) choice.value = String(device);
  choice?.dispatchEvent(new Event('change'));
  await settle();
}

it('MemoryView shows nothing of another version of its file: it offers to read the file again', async () => {
  const path = join(folder, 'rewritten.json');
  writeFileSync(path, kinetoText([kineto.range('forward', 0, 90), memory(10, 40, 0)]));
  const {host, show} = startedView(path);
  const before = await show();
  await expect.poll(() => text('[data-testid=said]')).toBe('after event 0: 40 B in 1 block');
  writeFileSync(path, kinetoText([kineto.range('backward', 0, 90), memory(10, 60, 0)]));
  utimesSync(path, 1, 1);
  document.querySelector('canvas')?.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft', bubbles: true}));
  await expect
    .poll(() => text('.message [role=alert]'))
    .toBe('rewritten.json has changed since it was opened. Open it again.');
  const view = document.querySelector<HTMLElement>('.view');
  expect([view?.hidden, document.body.textContent]).toEqual([true, expect.not.stringContaining('backward')]);
  press('Try again');
  expect(host.asked('memory/again')).toHaveLength(1);
  expect((await show()).stamp).not.toBe(before.stamp);
  await expect.poll(() => text('.panel')).toContain('backward');
  expect([view?.hidden, text('[data-testid=headline]')]).toEqual([false, expect.stringContaining('60 B')]);
  expect(document.body.textContent).not.toContain('40 B');
});

it('MemoryView ignores a late failure of a version that it no longer shows', async () => {
  const path = join(folder, 'late.json');
  writeFileSync(path, kinetoText([kineto.range('forward', 0, 90), memory(10, 40, 0)]));
  const {host, show} = startedView(path);
  await show();
  await expect.poll(() => text('.panel')).toContain('forward');
  const changed = () => Promise.reject(new TraceError('file/changed', 'late.json has changed. Open it again.'));
  chooseTab('Kept');
  chooseTab('Segments');
  writeFileSync(path, kinetoText([kineto.range('backward', 0, 90), memory(10, 60, 0)]));
  utimesSync(path, 1, 1);
  await host.tell('memory/content', {state: 'opening', name: 'late.json', fraction: 0});
  host.asked('memory/kept')[0]?.answer(changed());
  await settle();
  expect(text('.message')).toBe('Opening late.json: 0 %');
  await show();
  host.asked('memory/segments')[0]?.answer(changed());
  await expect.poll(() => text('[data-testid=said]')).toBe('after event 0: 60 B in 1 block');
  await settle();
  const hidden = ['.view', '.message'].map(part => document.querySelector<HTMLElement>(part)?.hidden);
  expect([...hidden, text('[role=alert]')]).toEqual([false, true, undefined]);
});

it('MemoryView asks for no curve while it is hidden, and for one of the new width when it is shown', async () => {
  let resize: (widthPx: number) => void = () => undefined;
  vi.stubGlobal(
    'ResizeObserver',
    class extends ResizeObserver {
      constructor(private readonly run: ResizeObserverCallback) {
        super(run);
      }
      override observe(target: Element): void {
        if (!target.matches('.chart')) return;
        resize = widthPx => {
          Object.defineProperty(target, 'clientWidth', {value: widthPx, configurable: true});
          this.run([], this);
        };
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const {host, show} = startedView(snapshot, []);
  await show();
  const before = host.asked('memory/curve').length;
  resize(180);
  await host.tell('memory/content', {state: 'opening', name: 'run.json', fraction: 0});
  resize(0);
  expect(host.asked('memory/curve')).toHaveLength(before + 1);
  await show();
  resize(280);
  expect(host.asked('memory/curve').at(-1)?.params).toMatchObject({window: {columns: 200}});
});

it('MemoryView shows nothing of another device or version while it waits for answers', async () => {
  const {host, show} = startedView(snapshot, []);
  const answerAll = async () => {
    for (const question of host.questions.splice(0)) {
      const method = question.method as 'memory/moment';
      if (method in engine)
        question.answer(await engine[method]({...(question.params as object), snapshot} as never, context));
    }
    await settle();
  };
  const shown = () => ['.legend', '.panel', '[data-testid=said]'].map(text);
  const overview = await show();
  await answerAll();
  expect(shown()).toEqual([
    expect.stringContaining('40 B'),
    expect.stringContaining('forward'),
    'after event 0: 40 B in 1 block',
  ]);
  await chooseDevice(1);
  expect(shown()).toEqual(['', '', '']);
  // Nor does the chart show a curve in which a moment could be chosen, or the tabs a moment.
  pressKey('ArrowLeft');
  chooseTab('Kept');
  chooseTab('By line');
  expect([host.asked('memory/moment'), host.asked('memory/kept')].map(({length}) => length)).toEqual([1, 0]);
  host.asked('memory/moment')[0]?.fail('The engine has ended.');
  await answerAll();
  expect(shown()).toEqual(['', '', 'The engine has ended.']);

  await chooseDevice(0);
  await answerAll();
  // Another moment of the same device replaces what is shown once it is known.
  const content = {state: 'open', name: 'run.json', at: {device: 0, moment: 0}} as const;
  await host.tell('memory/content', {...content, overview});
  expect(shown()).not.toContain('');
  await host.tell('memory/content', {...content, overview: {...overview, stamp: 'another'}});
  expect(shown()).toEqual(['', '', '']);
});

it('MemoryView compares the device that it shows with the other snapshot, and never shows that of another', async () => {
  const {host, show} = startedView(snapshot);
  const {stamp} = await show();
  const row = (name: string) => ({
    ...{file: null, line: null, function: name, stack: null, address: null, segmentBytes: null},
    ...{bytes: 1, blocks: 1, otherBytes: 3, otherBlocks: 1, deltaBytes: 2, deltaBlocks: 0},
  });
  const other = {path: '/runs/other.pickle', name: 'other.pickle'};
  const compared = () => host.asked('memory/compare');
  press('Compare with snapshot…');
  expect(compared()[0]?.params).toEqual({stamp, device: 0, other: null});
  compared()[0]?.answer({...other, rows: [row('on_the_gpu')]});
  await expect.poll(() => text('.panel')).toContain('on_the_gpu');

  await chooseDevice(1);
  await expect.poll(() => compared().at(1)?.params).toEqual({stamp, device: 1, other: other.path});
  compared()[1]?.answer({...other, rows: [row('on_the_host')]});
  await expect.poll(() => text('.panel')).toContain('on_the_host');
  expect(text('.panel')).not.toContain('on_the_gpu');
  expect(text('[data-testid=about]')).toBe('From the peak of this snapshot to the peak of other.pickle.');

  // Another moment of the same device has the same peaks.
  document.querySelector('canvas')?.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft', bubbles: true}));
  await expect.poll(() => text('[data-testid=said]')).toContain('before the first event');
  await settle();
  expect(compared()).toHaveLength(2);
  await chooseDevice(0);
  await expect.poll(() => compared()).toHaveLength(3);
  compared()[2]?.fail('other.pickle does not exist.');
  await expect.poll(() => text('[data-testid=said]')).toBe('other.pickle does not exist.');
  expect([text('.panel'), text('[data-testid=about]')]).toEqual(['', '']);
});

it('MemoryView lists the ranks again when the job changes', async () => {
  const {host, show} = startedView(snapshot);
  await show();
  const before = host.asked('ranks/list').length;
  await host.tell('ranks/changed', undefined);
  expect(host.asked('ranks/list')).toHaveLength(before + 1);
});
