// @vitest-environment jsdom
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, beforeEach, describe, expect, it} from 'vitest';
import type {JobRanks} from '../../src/core/job/rank-choices.js';
import {createEngine} from '../../src/engine/engine.js';
import {profileQueryNames} from '../../src/protocol/profile-messages.js';
import type {ViewContent} from '../../src/protocol/view-messages.js';
import {completePage, makeListsFocusable, settle, TestHost} from '../support/page.js';
import {temporaryFolder} from '../support/project.js';
import {smallModelTrace} from '../support/small-model-trace.js';

completePage();
makeListsFocusable();
const {FlameView} = await import('../../webview/flame/flame-view.js');
const {RooflineView} = await import('../../webview/roofline/roofline-view.js');
const {TablesView} = await import('../../webview/tables/tables-view.js');

type View = new (host: never, body: HTMLElement) => {start(): void};
type Content = Extract<ViewContent, {state: 'open'}>;
type Answers = Record<string, (params: never) => unknown>;

const engine = createEngine({settings: {memoryLimitBytes: null, cache: null}, profiles: []}, 'test');
const context = {signal: new AbortController().signal, report: () => undefined};
const job: JobRanks = {
  ...{shown: 0, ranks: [0, 1], files: ['a', 'b'], texts: ['Rank 0', 'Rank 1'], standings: []},
};
let first: Content;
let next: Content;
let last: Content;

/** The engine's answer about any profile, which is that about the only one it has. */
const answerOf = (method: string, params: unknown): unknown =>
  engine[method as 'flame']({...(params as object), profile: first.profile.key} as never, context);
const engineMethods = [...profileQueryNames, 'tables/page', 'tables/chart'];
const immediate: Answers = Object.fromEntries(['view/ready', 'ranks/list'].map(name => [name, () => null]));
const all: Answers = {
  ...immediate,
  ...Object.fromEntries(engineMethods.map(name => [name, (params: never) => answerOf(name, params)])),
};
/** The test answers which ranks there are. */
const withoutRanks = (answers: Answers): Answers =>
  Object.fromEntries(Object.entries(answers).filter(([method]) => method !== 'ranks/list'));
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
  last = {state: 'open', profile: {...profile, key: id + 2, identity: 'last', name: 'last'}, scope: null};
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
const found = (selector: string) => {
  const one = document.querySelector<HTMLElement>(selector);
  if (!one) throw new Error(`There is no ${selector}.`);
  return one;
};
const chooseRank = (rank: string) => {
  const list = found('vscode-dropdown[aria-label=Rank]') as HTMLInputElement;
  list.focus();
  list.value = rank;
  list.dispatchEvent(new Event('change'));
};
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

it('TablesView does not take the first answer about a profile that is shown again after another one', async () => {
  const {['tables/list']: list, ...others} = all;
  const again = {...first, profile: {...first.profile}};
  const {host} = await pageOf(TablesView, others, first, next, again);
  const [early, , late] = host.asked('tables/list');
  early?.answer(await list?.(early.params as never));
  await settle();
  expect(shownText()).toContain('Adding up first…');
  late?.answer(await list?.(late.params as never));
  await expect.poll(shownText).toContain('attention');
});

it('FlameView without a picture says why another rank did not open', async () => {
  const flame = async (params: never) => ({...((await answerOf('flame', params)) as object), total: 0});
  const {host} = await pageOf(FlameView, {...withoutRanks(all), flame}, first);
  host.asked('ranks/list')[0]?.answer(job);
  await expect.poll(shownText).toContain('Rank 1');
  chooseRank('1');
  host.asked('ranks/show')[0]?.fail('The job has no profile of rank 1.');
  await settle();
  expect(shownText()).toContain('The job has no profile of rank 1.');
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

  it('goes to the tab from "Kernels of this range" if there are none', async () => {
    const page = async (params: {query: {tab: string}}) => {
      const answer = (await answerOf('tables/page', params)) as object;
      return params.query.tab === 'kernels' ? {...answer, rows: [], keptCount: 0} : answer;
    };
    await pageOf(TablesView, {...all, 'tables/page': page}, first);
    await expect.poll(shownText).toContain('attention');
    const button = await actionsOf('attention');
    button.focus();
    button.click();
    await expect.poll(() => button.isConnected).toBe(false);
    await settle();
    expect(document.activeElement).toBe(found('[role=tab][aria-selected=true]'));
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

describe('the focus of a control that is hidden until the figures of another profile have arrived', () => {
  /** Makes a page that shows the first profile, and answers about others once it is told to. */
  async function waitingPage(View: View) {
    let answer: () => void = () => undefined;
    const isTold = new Promise<void>(resolve => (answer = resolve));
    const answers = engineMethods.map(name => [
      name,
      async (params: {key: number}) => {
        if (params.key !== first.profile.key) await isTold;
        return answerOf(name, params);
      },
    ]);
    const page = await pageOf(View, {...withoutRanks(immediate), ...(Object.fromEntries(answers) as Answers)}, first);
    page.host.asked('ranks/list')[0]?.answer(job);
    await expect.poll(shownText).toMatch(/attention|100 %/);
    await settle();
    /** Shows another profile. Browsers take the focus from a hidden control. */
    const hide = async (content: Content) => {
      await page.show(content);
      expect(shownText()).toContain(`Adding up ${content.profile.name}…`);
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    };
    const showAll = async () => {
      answer();
      await expect.poll(shownText).not.toContain('Adding up');
      await settle();
    };
    return {...page, hide, showAll};
  }

  it.each([
    {View: FlameView, control: 'canvas'},
    {View: TablesView, control: '[role=grid]'},
    {View: TablesView, control: '[aria-label="Filter names"]'},
    {View: TablesView, control: '[role=tab][aria-selected=true]'},
    {View: RooflineView, control: '.plot'},
  ])('comes back to $control of $View.name, also after a third profile', async ({View, control}) => {
    const {hide, showAll} = await waitingPage(View);
    found(control).focus();
    expect(document.activeElement).toBe(found(control));
    await hide(next);
    await hide(last);
    expect(document.activeElement).toBe(document.body);
    await showAll();
    expect(document.activeElement).toBe(found(control));
  });

  it.each([
    {View: FlameView, control: '.crumbs > *', instead: 'canvas'},
    {View: TablesView, control: '[aria-label="Column of the chart"]', instead: '[data-testid=chart]'},
    {View: RooflineView, control: '.view .tables [role=grid]', instead: '.plot'},
  ])('goes from $control of $View.name, which is gone, to $instead', async ({View, control, instead}) => {
    const {hide, showAll} = await waitingPage(View);
    named('Chart')?.click();
    await settle();
    found(control).tabIndex = 0;
    found(control).focus();
    expect(document.activeElement).toBe(found(control));
    await hide(next);
    await showAll();
    expect(document.activeElement).toBe(found(instead));
  });

  it.each([
    {View: FlameView, control: 'canvas'},
    {View: TablesView, control: '[role=grid]'},
    {View: RooflineView, control: '.plot'},
  ])('is left by $View.name to what has it by then', async ({View, control}) => {
    const {hide, showAll} = await waitingPage(View);
    const other = document.createElement('input');
    document.body.append(other);
    found(control).focus();
    await hide(next);
    other.focus();
    await showAll();
    expect(document.activeElement).toBe(other);
  });

  it('goes from the list of ranks to that of the chosen rank', async () => {
    const {host, hide, showAll} = await waitingPage(RooflineView);
    chooseRank('1');
    await hide(next);
    await showAll();
    host.asked('ranks/list')[1]?.answer({...job, shown: 1});
    await settle();
    expect(document.activeElement).toBe(found('vscode-dropdown[aria-label=Rank]'));
  });
});
