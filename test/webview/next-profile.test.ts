// @vitest-environment jsdom
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, beforeEach, describe, expect, it} from 'vitest';
import {createEngine} from '../../src/engine/engine.js';
import {profileQueryNames} from '../../src/protocol/profile-messages.js';
import type {ViewContent} from '../../src/protocol/view-messages.js';
import {completePage, settle, TestHost} from '../support/page.js';
import {temporaryFolder} from '../support/project.js';
import {smallModelTrace} from '../support/small-model-trace.js';

completePage();
const {FlameView} = await import('../../webview/flame/flame-view.js');
const {RooflineView} = await import('../../webview/roofline/roofline-view.js');
const {TablesView} = await import('../../webview/tables/tables-view.js');

type View = new (host: never, body: HTMLElement) => {start(): void};
type Content = Extract<ViewContent, {state: 'open'}>;
type Answers = Record<string, (params: never) => unknown>;

const engine = createEngine({settings: {memoryLimitBytes: null, cache: null}, profiles: []}, 'test');
const context = {signal: new AbortController().signal, report: () => undefined};
let first: Content;
let next: Content;

/** The engine's answer about any profile, which is that about the only one it has. */
const answerOf = (method: string, params: unknown): unknown =>
  engine[method as 'flame']({...(params as object), profile: first.profile.key} as never, context);
const engineMethods = [...profileQueryNames, 'tables/page', 'tables/chart'];
const immediate: Answers = Object.fromEntries(['view/ready', 'ranks/list'].map(name => [name, () => null]));
const all: Answers = {
  ...immediate,
  ...Object.fromEntries(engineMethods.map(name => [name, (params: never) => answerOf(name, params)])),
};
/** The engine answers about the first profile alone. */
const ofTheFirst: Answers = {
  ...immediate,
  ...Object.fromEntries(
    engineMethods.map(name => [
      name,
      (params: {key: number}) =>
        params.key === first.profile.key ? answerOf(name, params) : new Promise(() => undefined),
    ]),
  ),
};

beforeAll(async () => {
  const path = join(temporaryFolder(), 'first.json');
  writeFileSync(path, smallModelTrace());
  const opened = await engine['profile/open']({path}, context);
  const {id, stamp, info, tracks, counters, steps, processes, modules} = opened;
  const profile = {key: id, identity: stamp, name: 'first', info, tracks, counters, steps, processes, modules};
  first = {state: 'open', profile, scope: null};
  next = {state: 'open', profile: {...profile, key: id + 1, identity: 'next', name: 'next'}, scope: null};
});

beforeEach(() => {
  document.body.replaceChildren();
});

/** Makes a page of a view, which shows one profile after the other. */
async function pageOf(View: View, answers: Answers, ...contents: Content[]) {
  document.body.replaceChildren();
  const host = new TestHost<never, never>(answers);
  new View(host.host as never, document.body).start();
  const show = (content: Content) =>
    (host.tell as (method: string, params: unknown) => Promise<void>).call(host, 'view/content', content);
  for (const content of contents) await show(content);
  return {host, show};
}

/** The text that is not hidden. */
function shownText(node: Node = document.body): string {
  if (node instanceof HTMLElement && node.hidden) return '';
  if (node.childNodes.length === 0) return node.textContent ?? '';
  return [...node.childNodes].map(child => shownText(child)).join(' ');
}

const named = (text: string, selector = 'vscode-button') =>
  [...document.querySelectorAll<HTMLElement>(selector)].find(one => one.textContent === text);
const press = (target: Element | null | undefined, key: string) =>
  target?.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
const actionsOf = async (range: string) => {
  const cell = named(range, '.body .row .cell');
  cell?.dispatchEvent(new MouseEvent('click', {bubbles: true}));
  await settle();
  const button = named('Kernels of this range');
  if (!button) throw new Error('There is no such action.');
  // The toolkit makes it focusable in a real page.
  button.tabIndex = 0;
  return button;
};

describe('a profile whose figures have not arrived', () => {
  it.each([
    {View: FlameView, says: '100 % = '},
    {View: TablesView, says: 'attention'},
    {View: RooflineView, says: '100 % of GPU work has shapes'},
  ])('is not shown by $View.name with those of the profile before', async ({View, says}) => {
    await pageOf(View, ofTheFirst, next);
    const alone = shownText();
    expect(alone).toContain('Adding up next…');
    const {show} = await pageOf(View, ofTheFirst, first);
    await expect.poll(shownText).toContain(says);
    await show(next);
    expect(shownText()).toBe(alone);
    await show(first);
    await expect.poll(shownText).toContain(says);
    expect(shownText()).not.toContain('Adding up');
  });

  it('has no callers of a block of the profile before', async () => {
    const {flame, ...others} = all;
    const {host, show} = await pageOf(FlameView, others, first);
    const answerAll = async (from: number) => {
      for (const question of host.asked('flame').slice(from)) question.answer(await flame?.(question.params as never));
      await settle();
    };
    await answerAll(0);
    const panel = () => document.querySelector('.callers')?.textContent;
    document
      .querySelector('[aria-label="Callers and callees of the selected block"]')
      ?.dispatchEvent(new MouseEvent('click'));
    await expect.poll(() => host.asked('flame').length).toBe(2);
    await answerAll(1);
    expect(panel()).toContain('Callees');
    await show(next);
    await answerAll(2);
    expect(shownText()).toContain('100 % = ');
    expect(panel()).toBe('');
  });

  it('has no durations, actions and counts of a row of the profile before', async () => {
    const durations = {'tables/durations': () => null};
    const {show} = await pageOf(TablesView, {...ofTheFirst, ...durations}, first);
    named('Kernels', '[role=tab]')?.click();
    await settle();
    named('Durations')?.click();
    await settle();
    expect(shownText()).toContain('There is none of them here.');
    expect(shownText()).toMatch(/\d rows?\b/);
    await show(next);
    expect(shownText()).not.toMatch(/\d rows?\b|There is none of them here|Durations/);
  });

  it('leads nowhere from a mark of the profile before, which cannot be copied or saved as its own', async () => {
    const {host, show} = await pageOf(RooflineView, ofTheFirst);
    const chart = document.querySelector<HTMLElement>('.chart');
    const size = {get: () => (chart?.hidden ? 0 : 600)};
    if (chart) Object.defineProperties(chart, {clientWidth: size, clientHeight: size});
    await show(first);
    await expect.poll(() => document.querySelectorAll('.chart .mark').length).toBe(5);
    const plot = document.querySelector('.plot');
    press(plot, 'ArrowRight');
    await show(next);
    press(plot, 'Enter');
    named('Copy as CSV')?.click();
    document.querySelector<HTMLElement>('[aria-label="Save as SVG"]')?.click();
    await settle();
    expect(host.questions.map(({method}) => method)).toEqual([]);
    expect(document.querySelectorAll('.chart .mark')).toHaveLength(0);
  });
});

it('TablesView keeps the rows of a profile when the tables of the one before it cannot be read', async () => {
  const {['tables/list']: list, ...others} = all;
  const {host} = await pageOf(TablesView, others, first, next);
  const [ofFirst, ofNext] = host.asked('tables/list');
  ofNext?.answer(await list?.(ofNext.params as never));
  await expect.poll(shownText).toContain('attention');
  const shown = shownText();
  ofFirst?.fail('first.json is gone.');
  await settle();
  expect(shownText()).toBe(shown);
});

it('TablesView says why the tables of a profile cannot be read', async () => {
  const {['tables/list']: list, ...others} = all;
  const {host} = await pageOf(TablesView, others, first);
  expect(list).toBeDefined();
  host.asked('tables/list')[0]?.fail('first.json is gone.');
  await settle();
  expect(shownText()).toContain('first.json is gone.');
  expect(shownText()).not.toContain('Adding up');
});

describe('the focus of a button that its action takes away', () => {
  it('goes to the grid from "Kernels of this range"', async () => {
    await pageOf(TablesView, all, first);
    await expect.poll(shownText).toContain('attention');
    const button = await actionsOf('attention');
    button.focus();
    button.click();
    await expect.poll(() => button.isConnected).toBe(false);
    expect(document.activeElement?.getAttribute('role')).toBe('grid');
  });

  it('stays where it is if the button does not have it', async () => {
    await pageOf(TablesView, all, first);
    await expect.poll(shownText).toContain('attention');
    const button = await actionsOf('attention');
    const filter = document.querySelector<HTMLElement>('[aria-label="Filter names"]');
    filter?.focus();
    button.click();
    await expect.poll(() => button.isConnected).toBe(false);
    expect(document.activeElement).toBe(filter);
  });

  it('goes to the canvas from a crumb', async () => {
    await pageOf(FlameView, all, first);
    const crumbs = () => [...document.querySelectorAll<HTMLElement>('.crumbs > *')];
    await expect.poll(() => crumbs().length).toBe(1);
    const canvas = document.querySelector('canvas');
    for (const key of ['ArrowDown', 'Enter']) press(canvas, key);
    expect(crumbs()).toHaveLength(2);
    expect(document.activeElement).toBe(document.body);
    const [root] = crumbs();
    if (!root) throw new Error('There are no crumbs.');
    // The toolkit makes it focusable in a real page.
    root.tabIndex = 0;
    root.focus();
    root.click();
    expect(crumbs()).toHaveLength(1);
    expect(document.activeElement).toBe(canvas);
  });
});
