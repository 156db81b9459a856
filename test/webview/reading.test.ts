// @vitest-environment jsdom
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, expect, it} from 'vitest';
import {fitAll} from '../../src/core/base/time-window.js';
import {createEngine} from '../../src/engine/engine.js';
import type {OpenProgress} from '../../src/protocol/engine-messages.js';
import type {HostRequests, TimelineViewRequests, ViewContent} from '../../src/protocol/view-messages.js';
import {writeLargeTrace} from '../support/large-trace.js';
import {completePage, settle, TestHost} from '../support/page.js';

completePage();
// It needs the page when it is read.
const {TimelineView} = await import('../../webview/timeline/timeline-view.js');

const folder = mkdtempSync(join(tmpdir(), 'gpu-lens-reading-'));
const told: OpenProgress[] = [];

beforeAll(async () => {
  const path = join(folder, 'large.json');
  writeLargeTrace(path, 40e6);
  const engine = createEngine({settings: {memoryLimitBytes: null, cache: null}, profiles: []}, 'test');
  const context = {signal: new AbortController().signal, report: (progress: OpenProgress) => told.push(progress)};
  await engine['profile/open']({path}, context);
});
afterAll(() => {
  rmSync(folder, {recursive: true});
});
beforeEach(() => {
  document.body.replaceChildren();
});

const reading = () => document.querySelector('[data-testid=reading]');
const isReading = () => document.querySelector<HTMLElement>('.reading')?.hidden === false;
const opening = (progress: Partial<ViewContent> = {}): ViewContent =>
  ({
    ...{state: 'opening', key: 3, name: 'large.json', step: 'read', fraction: 0.25, events: 1234},
    ...progress,
  }) as ViewContent;

it('the engine tells what it has read of a large file before it has read all', () => {
  const [first] = told;
  if (!first?.picture) throw new Error('the first progress has no picture');
  expect(first.bytes).toBeLessThan(first.totalBytes);
  expect(first.picture.tracks.length).toBeGreaterThan(0);
  expect(first.picture.timeline.slices.blocks.length).toBeGreaterThan(0);
});

it('a timeline draws what was read so far, says how far that is, and asks nothing of it', async () => {
  const picture = told[0]?.picture ?? undefined;
  const host = new TestHost<HostRequests, TimelineViewRequests>({'layout/restore': () => null});
  new TimelineView(host.host, document.body).start();
  await host.tell('view/content', opening());
  expect(isReading()).toBe(false);
  expect(document.querySelector('.message')?.textContent).toContain('Opening large.json: 25 %');

  await host.tell('view/content', opening({picture} as never));
  expect(isReading()).toBe(true);
  expect(document.querySelector<HTMLElement>('.message')?.hidden).toBe(true);
  expect(reading()?.textContent).toBe('25 % read, 1,234 events so far');

  // Progress without a new picture leaves the one that is there.
  await host.tell('view/content', opening({fraction: 0.5}));
  expect(isReading()).toBe(true);
  expect(reading()?.textContent).toContain('50 %');
  document.querySelector('canvas')?.dispatchEvent(new KeyboardEvent('keydown', {key: 'w', bubbles: true}));
  document.querySelector('canvas')?.dispatchEvent(new KeyboardEvent('keydown', {key: '/', bubbles: true}));
  await settle();
  expect(host.questions.map(({method}) => method).filter(method => /^(?:timeline|slice)\//.test(method))).toEqual([]);

  document.querySelector<HTMLElement>('.reading vscode-button')?.click();
  expect(host.asked('view/command').map(({params}) => params)).toEqual([{command: 'cancel-open'}]);

  await host.tell('view/content', {state: 'failed', name: 'large.json', message: 'It is damaged.', canOpenWith: false});
  expect(isReading()).toBe(false);
  expect(document.querySelector('.message')?.textContent).toContain('It is damaged.');
});

it('another file that is opened begins without the picture of the one before', async () => {
  const host = new TestHost<HostRequests, TimelineViewRequests>({'layout/restore': () => null});
  new TimelineView(host.host, document.body).start();
  await host.tell('view/content', opening({picture: told[0]?.picture ?? undefined} as never));
  await host.tell('view/content', opening({key: 4, name: 'other.json'}));
  expect(isReading()).toBe(false);
  expect(document.querySelector('.message')?.textContent).toContain('Opening other.json');
});

it('a picture that grows keeps all in sight, and a window that was chosen where it is', async () => {
  const {Picture} = await import('../../webview/timeline/picture.js');
  const listener = {windowChanged: () => undefined, layoutChanged: () => undefined};
  const picture = new Picture(
    document.createElement('canvas'),
    listener as never,
    () => undefined,
    () => undefined,
  );
  const drawn = told[0]?.picture;
  if (!drawn) throw new Error('there is no picture');
  picture.sketch(drawn, null);
  expect(picture.state.window).toEqual(fitAll(drawn.spanNs));
  const later = {...drawn, spanNs: drawn.spanNs * 2};
  picture.sketch(later, drawn);
  expect(picture.state.window).toEqual(fitAll(later.spanNs));
  picture.show({fromNs: 1000, toNs: 50_000});
  // Something that began 700 ns earlier came later in the file.
  picture.sketch({...later, originNs: later.originNs - 700, spanNs: later.spanNs + 700}, later);
  expect(picture.state.window).toEqual({fromNs: 1700, toNs: 50_700});
});
