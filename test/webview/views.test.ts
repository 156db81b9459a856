// @vitest-environment jsdom
import {basename, join} from 'node:path';
import {beforeAll, beforeEach, describe, expect, it} from 'vitest';
import type {JobRanks} from '../../src/core/job/rank-choices.js';
import {createEngine} from '../../src/engine/engine.js';
import type {ProfileSummary} from '../../src/protocol/engine-messages.js';
import {profileQueryNames} from '../../src/protocol/profile-messages.js';
import type {QueryHostRequests, QueryViewRequests} from '../../src/protocol/query-messages.js';
import type {
  FlameViewRequests,
  HostRequests,
  SummaryViewRequests,
  TablesViewRequests,
  TimelineViewRequests,
  ViewContent,
  ViewRequests,
} from '../../src/protocol/view-messages.js';
import {completePage, settle, TestHost} from '../support/page.js';
import {project} from '../support/project.js';

completePage();
// They need the page when they are read.
const {BenchmarkView} = await import('../../webview/benchmark/benchmark-view.js');
const {ComparisonView} = await import('../../webview/compare/comparison-view.js');
const {FlameView} = await import('../../webview/flame/flame-view.js');
const {JobPage} = await import('../../webview/job/job-page.js');
const {MemoryView} = await import('../../webview/memory/memory-view.js');
const {QueryView} = await import('../../webview/query/query-view.js');
const {RooflineView} = await import('../../webview/roofline/roofline-view.js');
const {SummaryView} = await import('../../webview/summary/summary-view.js');
const {TablesView} = await import('../../webview/tables/tables-view.js');
const {TimelineView} = await import('../../webview/timeline/timeline-view.js');

const sample = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
const engine = createEngine({settings: {memoryLimitBytes: null, cache: null}, profiles: []}, 'test');
const context = {signal: new AbortController().signal, report: () => undefined};
let content: ViewContent;
let summary: ProfileSummary;

/** Questions that the engine answers, as the extension host hands them on. */
const ofTheEngine = [...profileQueryNames, 'tables/page', 'tables/chart'] as const;
const answers = Object.fromEntries([
  ...ofTheEngine.map(name => [
    name,
    ({key, ...rest}: {key: number}) => engine[name]({profile: key, ...rest} as never, context),
  ]),
  ...['view/ready', 'layout/restore', 'layout/store', 'ranks/list'].map(name => [name, () => null]),
  ['summary/findings', () => ({findings: [], dismissed: [], notes: []})],
]) as Record<string, (params: never) => unknown>;

beforeAll(async () => {
  summary = await engine['profile/open']({path: sample}, context);
  const {id, stamp, info, tracks, counters, steps, processes, modules} = summary;
  const profile = {key: id, identity: stamp, name: basename(sample)};
  content = {state: 'open', profile: {...profile, info, tracks, counters, steps, processes, modules}, scope: null};
});

beforeEach(() => {
  document.body.replaceChildren();
});

const text = () => document.body.textContent;

const views = [
  ...[BenchmarkView, ComparisonView, FlameView, JobPage, MemoryView, QueryView],
  ...[RooflineView, SummaryView, TablesView, TimelineView],
];

it.each(views.map(View => ({View})))(
  '$View.name is made over a host and a page, and asks for its content',
  async ({View}) => {
    const host = new TestHost({'layout/restore': () => null});
    new View(host.host as never, document.body).start();
    await settle();
    expect(host.asked('view/ready')).toHaveLength(1);
    expect(document.body.children.length).toBeGreaterThan(0);
  },
);

describe('a view of a profile', () => {
  it.each([
    {View: TimelineView, says: 'no GPU work'},
    {View: FlameView, says: '100 % = '},
    {View: TablesView, says: 'Copy as Markdown'},
    {View: RooflineView, says: 'of GPU work has shapes that tell its cost'},
    {View: SummaryView, says: 'An average step'},
  ])('$View.name shows the profile that the engine has, and says when there is none', async ({View, says}) => {
    const host = new TestHost<HostRequests, ViewRequests>(answers);
    new View(host.host, document.body).start();
    await host.tell('view/content', content);
    await expect.poll(text).toContain(says);
    await host.tell('view/content', {state: 'failed', name: 'x', message: 'x is damaged.', canOpenWith: false});
    expect([...document.querySelectorAll('.message')].map(one => one.textContent).join()).toContain('x is damaged.');
  });
});

it('a view keeps the button that cancels opening, and its focus, while progress is told', async () => {
  const host = new TestHost<HostRequests, ViewRequests>(answers);
  new TablesView(host.host, document.body).start();
  const opening = {state: 'opening', key: 1, name: 'x', step: 'read', fraction: 0.25, events: 0} as const;
  const shown = () => [text(), document.querySelector('progress')?.value];
  const cancel = () => document.querySelector<HTMLElement>('.message vscode-button');
  await host.tell('view/content', opening);
  expect(shown()).toEqual([expect.stringContaining('Opening x: 25 %'), 25]);
  const first = cancel();
  if (!first) throw new Error('There is no button.');
  // The toolkit makes it focusable in a real page.
  first.tabIndex = 0;
  first.focus();
  await host.tell('view/content', {...opening, fraction: 0.5});
  expect(shown()).toEqual([expect.stringContaining('Opening x: 50 %'), 50]);
  expect([cancel() === first, document.activeElement === first]).toEqual([true, true]);
  await host.tell('view/content', {state: 'failed', name: 'x', message: 'x is damaged.', canOpenWith: false});
  await host.tell('view/content', opening);
  expect(shown()).toEqual([expect.stringContaining('Opening x: 25 %'), 25]);
});

it('FlameView says of a selection without blocks that it has none, and not that the profile has no ranges', async () => {
  const host = new TestHost<HostRequests, FlameViewRequests>(answers);
  host.stored = {query: {weight: 'cpu'}};
  new FlameView(host.host, document.body).start();
  await host.tell('view/content', content);
  await expect.poll(text).toContain('100 % = ');
  await host.tell('flame/show', {selection: {fromNs: 1e15, toNs: 2e15}, stack: {}, focus: null});
  await expect.poll(text).toContain('Nothing in this selection.');
});

it.each([
  {View: FlameView, says: '100 % = '},
  {View: RooflineView, says: 'of GPU work has shapes that tell its cost'},
])('$View.name keeps the focus where a control of the selection is replaced', async ({View, says}) => {
  const host = new TestHost<HostRequests, ViewRequests>(answers);
  new View(host.host, document.body).start();
  await host.tell('view/content', content);
  await expect.poll(text).toContain(says);
  const field = () => document.querySelector<HTMLInputElement>('[aria-label="Time window"]');
  const first = field();
  first?.focus();
  const step = document.querySelector<HTMLElement & {value: string}>('vscode-dropdown[aria-label=Step]');
  if (step) step.value = '2';
  step?.dispatchEvent(new Event('change'));
  const window = field();
  if (!window) throw new Error('There is no field of the window.');
  expect([window === first, document.activeElement === window]).toEqual([false, true]);
  window.value = '10-20 ms';
  window.dispatchEvent(new Event('change'));
  const chip = document.activeElement;
  expect(chip?.textContent).toMatch(/^10.* – 20.* ✕$/);
  chip?.dispatchEvent(new MouseEvent('click'));
  expect(document.activeElement).toBe(field());
});

it('TimelineView closes its list of keys by Escape, also if the canvas has the focus', async () => {
  const host = new TestHost<HostRequests, ViewRequests>(answers);
  new TimelineView(host.host, document.body).start();
  await host.tell('view/content', content);
  const canvas = document.querySelector('canvas');
  const press = (key: string) => canvas?.dispatchEvent(new KeyboardEvent('keydown', {key}));
  const list = () => document.querySelector<HTMLElement>('.key-list');
  press('?');
  expect(list()?.hidden).toBe(false);
  press('Escape');
  expect(list()?.hidden).toBe(true);
});

describe('the selector of ranks', () => {
  const job: JobRanks = {
    ...{shown: 0, ranks: [0, 1, 2], files: ['/a', '/b', '/c'], texts: ['Rank 0', 'Rank 1', 'Rank 2']},
    standings: [
      {standing: 'fastest', rank: 1},
      {standing: 'median', rank: 0},
      {standing: 'slowest', rank: 2},
    ],
  };
  const list = () => document.querySelector<HTMLElement & {value: string}>('vscode-dropdown[aria-label=Rank]');
  const choose = (value: string) => {
    const shown = list();
    if (shown) shown.value = value;
    shown?.dispatchEvent(new Event('change'));
  };

  it.each([
    {View: TimelineView, section: 'timeline'},
    {View: FlameView, section: 'ranges'},
    {View: TablesView, section: 'ranges'},
    {View: SummaryView, section: 'parts'},
    {View: RooflineView, section: null},
  ])(
    '$View.name shows one rank, min, median or max, or all, and says so where all cannot be',
    async ({View, section}) => {
      const host = new TestHost<HostRequests, ViewRequests>({...answers, 'ranks/list': () => job});
      new View(host.host, document.body).start();
      await host.tell('view/content', content);
      await settle();
      const options = [...(list()?.querySelectorAll('vscode-option') ?? [])];
      const isDisabled = options.map(one => one.hasAttribute('disabled'));
      expect(options.map(one => one.textContent).slice(1)).toEqual([
        ...['Min: rank 1 is the fastest', 'Median: rank 0 is in the middle', 'Max: rank 2 is the slowest'],
        ...['Rank 0', 'Rank 1', 'Rank 2'],
      ]);
      expect(options[0]?.textContent).toMatch(/^All ranks: /);
      expect(isDisabled).toEqual([section === null, false, false, false, false, false, false]);
      choose('slowest');
      expect(host.asked('ranks/show').map(({params}) => params)).toMatchObject([{rank: 2}]);
      host.asked('ranks/show')[0]?.answer(false);
      await settle();
      choose('all-ranks');
      expect(host.asked('ranks/all').map(({params}) => params)).toMatchObject(section === null ? [] : [{section}]);
    },
  );

  it.each([TimelineView, FlameView, TablesView, SummaryView, RooflineView].map(View => ({View})))(
    '$View.name offers min, median and max when the job is opened',
    async ({View}) => {
      let known: JobRanks = {...job, standings: []};
      const host = new TestHost<HostRequests, TimelineViewRequests>({...answers, 'ranks/list': () => known});
      new View(host.host, document.body).start();
      await host.tell('view/content', content);
      await settle();
      const count = () => list()?.querySelectorAll('vscode-option').length;
      expect(count()).toBe(4);
      known = job;
      await host.tell('ranks/changed', undefined);
      expect(count()).toBe(7);
    },
  );

  it('is not there for a profile that is no job’s', async () => {
    const host = new TestHost<HostRequests, ViewRequests>(answers);
    new TimelineView(host.host, document.body).start();
    await host.tell('view/content', content);
    await settle();
    expect(list()?.parentElement?.hidden).toBe(true);
  });
});

it('SummaryView asks for the findings again when they have changed, and shows and copies the last answer', async () => {
  const finding = {
    ...{rule: 'idle/data-loader', severity: 'high', title: 'The GPU waits for the data loader', evidence: []},
    ...{gainAtMostNs: null, advice: '', link: null, file: null, line: null, startNs: null},
  };
  const found = (findings: readonly object[]) => ({findings, hasGpuWork: true, notes: []});
  const others = Object.entries(answers).filter(([method]) => method !== 'summary/findings');
  const host = new TestHost<HostRequests, SummaryViewRequests>(Object.fromEntries(others));
  new SummaryView(host.host, document.body).start();
  // Nothing was asked yet that could be outdated.
  await host.tell('findings/changed', undefined);
  await host.tell('view/content', content);
  const asked = () => host.asked('summary/findings');
  await expect.poll(() => asked().length).toBe(1);
  asked()[0]?.answer(found([finding]));
  await expect.poll(text).toContain(finding.title);
  await host.tell('findings/changed', undefined);
  await host.tell('findings/changed', undefined);
  expect(text()).toContain(finding.title);
  asked()[2]?.answer(found([]));
  await expect.poll(text).not.toContain(finding.title);
  asked()[1]?.answer(found([finding]));
  await settle();
  expect(text()).not.toContain(finding.title);
  const copy = [...document.querySelectorAll('vscode-button')].find(one => one.textContent === 'Copy as Markdown');
  copy?.dispatchEvent(new Event('click'));
  expect(host.asked('clipboard/write')).toHaveLength(1);
  expect(JSON.stringify(host.asked('clipboard/write')[0]?.params)).not.toContain(finding.title);
  expect(asked()).toHaveLength(3);
  // Findings that cannot be found again are neither shown nor copied.
  await host.tell('findings/changed', undefined);
  asked()[3]?.answer(found([finding]));
  await expect.poll(text).toContain(finding.title);
  await host.tell('findings/changed', undefined);
  asked()[4]?.fail('The file is gone.');
  await expect.poll(text).toContain('The file is gone.');
  copy?.dispatchEvent(new Event('click'));
  expect(host.asked('clipboard/write')).toHaveLength(2);
  expect(JSON.stringify(host.asked('clipboard/write')[1]?.params)).not.toContain(finding.title);
});

describe('TablesView', () => {
  const {['tables/page']: page, ...others} = answers;

  it('does not show an answer to an earlier question', async () => {
    const host = new TestHost<HostRequests, TablesViewRequests>(others);
    new TablesView(host.host, document.body).start();
    await host.tell('view/content', content);
    await host.tell('tables/choose', {tab: 'kernels'});
    const [first, second] = host.asked('tables/page');
    expect(second?.params).toMatchObject({query: {tab: 'kernels'}});
    second?.answer(await page?.(second.params as never));
    await settle();
    const shown = text();
    expect(shown).toContain('rows');
    first?.answer(await page?.(first.params as never));
    await settle();
    expect(text()).toBe(shown);
  });

  it('forgets the range that rows are narrowed to when another profile opens', async () => {
    if (content.state !== 'open') throw new Error('A profile is open.');
    // The same file, opened as another profile.
    const another = {...content, profile: {...content.profile, key: content.profile.key + 1, identity: 'another'}};
    const asFirst = Object.entries(answers).map(([name, answer]) => [
      name,
      (params: object) => answer({...params, key: summary.id} as never),
    ]);
    const host = new TestHost<HostRequests, TablesViewRequests>(Object.fromEntries(asFirst) as typeof answers);
    new TablesView(host.host, document.body).start();
    const range = () => document.querySelector<HTMLInputElement>('[aria-label="Only work of this range"]');
    await host.tell('view/content', content);
    await host.tell('range/show', {range: 'forward', window: null});
    expect(range()?.value).toBe('forward');
    await host.tell('view/content', another);
    await expect.poll(() => range()?.value).toBe('');
  });

  it('says why an answer did not come, in the place of the rows', async () => {
    const host = new TestHost<HostRequests, TablesViewRequests>(others);
    new TablesView(host.host, document.body).start();
    await host.tell('view/content', content);
    host.asked('tables/page')[0]?.fail('The engine has stopped.');
    await settle();
    expect(document.querySelector('.view > .message')?.textContent).toBe('The engine has stopped.');
  });
});

describe('QueryView', () => {
  it('shows rows, and a failure with its query', async () => {
    const host = new TestHost<QueryHostRequests, QueryViewRequests>({'query/rows': () => [['gemm', '3']]});
    new QueryView(host.host, document.body).start();
    const result = {
      ...{key: 1, profile: 'run', profileKey: 1, sql: 'select 1', columns: ['name', 'n'], isNumeric: [false, true]},
      ...{rowCount: 1, sort: [], filter: '', keptCount: 1, summary: '1 row'},
    };
    await host.tell('query/content', {state: 'done', result});
    await settle();
    expect(text()).toContain('1 row');
    await host.tell('query/content', {state: 'failed', sql: 'select <b>', message: 'no such column'});
    expect(document.querySelector('.error')?.textContent).toBe('no such column');
    expect(document.querySelector('pre')?.textContent).toBe('select <b>');
  });
});
