// @vitest-environment jsdom
import {writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {beforeAll, beforeEach, expect, it} from 'vitest';
import {compareFlames} from '../../src/core/compare/compare-flames.js';
import {compareRuns} from '../../src/core/compare/run-comparison.js';
import {jobFacts} from '../../src/core/job/job-report.js';
import {jobTimeline} from '../../src/core/job/job-timeline.js';
import {jobView} from '../../src/core/job/job-view.js';
import {createEngine} from '../../src/engine/engine.js';
import {profileQueryNames} from '../../src/protocol/profile-messages.js';
import type {TablesViewRequests, ViewContent} from '../../src/protocol/view-messages.js';
import {runOf} from '../support/compared-runs.js';
import {madeJob} from '../support/job-ranks.js';
import {completePage, settle, TestHost} from '../support/page.js';
import {modelTrace} from '../support/model-trace.js';
import {temporaryFolder} from '../support/project.js';
import {traceFromText} from '../support/trace-from-text.js';

// VS Code discards the page of a view that is hidden. What it stored is all that the next page has.
completePage();
const {ComparisonView} = await import('../../webview/compare/comparison-view.js');
const {FlameView} = await import('../../webview/flame/flame-view.js');
const {JobPage} = await import('../../webview/job/job-page.js');
const {RooflineView} = await import('../../webview/roofline/roofline-view.js');
const {SummaryView} = await import('../../webview/summary/summary-view.js');
const {TablesView} = await import('../../webview/tables/tables-view.js');

type View = new (host: never, body: HTMLElement) => {start(): void};

const model = join(temporaryFolder(), 'model.json');
writeFileSync(model, modelTrace(2, 3));
const engine = createEngine({settings: {memoryLimitBytes: null, cache: null}, profiles: []}, 'test');
const context = {signal: new AbortController().signal, report: () => undefined};
let content: Extract<ViewContent, {state: 'open'}>;
let profileId = 0;

/** Questions about any profile are answered for this one. */
const answers = Object.fromEntries([
  ...[...profileQueryNames, 'tables/page', 'tables/chart'].map(name => [
    name,
    (params: object) => engine[name as 'flame']({...params, profile: profileId} as never, context),
  ]),
  ...['view/ready', 'ranks/list'].map(name => [name, () => null]),
  ['summary/findings', () => ({findings: [], dismissed: [], notes: []})],
]) as Record<string, (params: never) => unknown>;

beforeAll(async () => {
  const {id, stamp, info, tracks, counters, steps, processes, modules} = await engine['profile/open'](
    {path: model},
    context,
  );
  profileId = id;
  const profile = {key: id, identity: stamp, name: basename(model)};
  content = {state: 'open', profile: {...profile, info, tracks, counters, steps, processes, modules}, scope: null};
});

beforeEach(() => {
  document.body.replaceChildren();
});

/** Requests for the largest entries in a part of the profile. */
const narrowed: object[] = [];

/** Makes a page of a view, which has what the page before stored. */
async function pageOf(View: View, message: string, told: unknown, before?: TestHost<never, never>) {
  document.body.replaceChildren();
  const host = new TestHost<never, never>({
    ...answers,
    'summary/tops': (params: never) => {
      narrowed.push(params);
      return answers['summary/tops']?.(params);
    },
  });
  if (before) host.stored = JSON.parse(JSON.stringify(before.stored));
  new View(host.host as never, document.body).start();
  await (host.tell as (method: string, params: unknown) => Promise<void>).call(host, message, told);
  return host;
}

/** The same file as another profile. */
const another = () => ({...content, profile: {...content.profile, identity: 'another'}});

const list = (label: string) =>
  document.querySelector<HTMLElement & {value: string}>(`vscode-dropdown[aria-label="${label}"]`);
/** What a list shows at first. */
const chosenOf = (label: string) => list(label)?.querySelector('[selected]')?.getAttribute('value');
function choose(label: string, value: string): void {
  const shown = list(label);
  if (!shown) throw new Error(`There is no list "${label}".`);
  shown.value = value;
  shown.dispatchEvent(new Event('change'));
}
const field = (label: string) => document.querySelector<HTMLInputElement>(`[aria-label="${label}"]`);
const text = () => document.body.textContent;

it('FlameView shows its selection and its block again, of the same profile alone', async () => {
  const first = await pageOf(FlameView, 'view/content', content);
  await expect.poll(text).toContain('100 % = ');
  choose('Step', '1');
  const crumbs = () => [...document.querySelectorAll('.crumbs > *')].map(one => one.textContent);
  await expect.poll(() => crumbs().length).toBe(1);
  const canvas = document.querySelector('canvas');
  for (const key of ['ArrowDown', 'Enter']) canvas?.dispatchEvent(new KeyboardEvent('keydown', {key}));
  await expect.poll(() => crumbs().length).toBe(2);
  const zoomed = crumbs();
  const again = await pageOf(FlameView, 'view/content', content, first);
  await expect.poll(crumbs).toEqual(zoomed);
  expect(chosenOf('Step')).toBe('1');
  await pageOf(FlameView, 'view/content', another(), again);
  await expect.poll(() => crumbs().length).toBe(1);
  expect(chosenOf('Step')).toBe('whole');
});

it('TablesView narrows and sorts its rows again, of the same profile alone', async () => {
  const first = await pageOf(TablesView, 'view/content', content);
  const tab = () => document.querySelector('[role=tab][aria-selected=true]')?.textContent;
  const kernels = [...document.querySelectorAll<HTMLElement>('[role=tab]')].find(one => one.textContent === 'Kernels');
  kernels?.click();
  await settle();
  const header = () =>
    [...document.querySelectorAll<HTMLElement>('.head .cell')].find(one => one.textContent.startsWith('Instances'));
  header()?.click();
  choose('Step', '1');
  const filter = field('Filter names');
  if (!filter) throw new Error('There is no filter.');
  filter.value = 'gemm|kernel';
  const regex = [...document.querySelectorAll<HTMLElement & {checked: boolean}>('vscode-checkbox')].find(
    one => one.textContent === 'Regex',
  );
  if (regex) regex.checked = true;
  regex?.dispatchEvent(new Event('change'));
  await settle();
  const sorted = header()?.getAttribute('aria-sort');
  expect(sorted).toMatch(/scending$/);
  const shown = () => [tab(), field('Filter names')?.value, chosenOf('Step'), header()?.getAttribute('aria-sort')];
  const again = await pageOf(TablesView, 'view/content', content, first);
  await expect.poll(shown).toEqual(['Kernels', 'gemm|kernel', '1', sorted]);
  const rows = document.querySelector('[data-testid=counts]')?.textContent;
  expect(rows).toMatch(/ of /);
  await pageOf(TablesView, 'view/content', another(), again);
  await expect.poll(tab).toBe('Kernels');
  expect(shown().slice(1, 3)).toEqual(['', 'all']);
});

it('RooflineView shows its points, its model and its selection again, of the same profile alone', async () => {
  const first = await pageOf(RooflineView, 'view/content', content);
  await settle();
  choose('Step', '1');
  const selects = () =>
    ['Points', 'Model', 'Roofs'].map(label =>
      document.querySelector<HTMLSelectElement>(`.view select[aria-label=${label}]`),
    );
  for (const [at, value] of ['class', 'gpt2-xl', 'h100'].entries()) {
    const select = selects()[at];
    if (!select) throw new Error('A list is missing.');
    select.value = value;
    expect(select.value).toBe(value);
    select.dispatchEvent(new Event('change'));
  }
  await settle();
  const shown = () => [...selects().map(select => select?.value), chosenOf('Step')];
  const again = await pageOf(RooflineView, 'view/content', content, first);
  await expect.poll(shown).toEqual(['class', 'gpt2-xl', 'h100', '1']);
  await pageOf(RooflineView, 'view/content', another(), again);
  await expect.poll(shown).toEqual(['shape', '', '', 'whole']);
});

it('SummaryView shows the step, the part and the table again that were chosen, of the same profile alone', async () => {
  const first = await pageOf(SummaryView, 'view/content', content);
  const title = () => document.querySelector('section > h2[aria-live]')?.textContent;
  await expect.poll(title).toBeTruthy();
  const whole = title();
  document
    .querySelector('.step-chart')
    ?.dispatchEvent(new KeyboardEvent('keydown', {key: 'End', bubbles: true, cancelable: true}));
  const ofStep = title();
  expect(ofStep).not.toBe(whole);
  choose('Work that counts', '1');
  const table = () => document.querySelector('details');
  table()?.setAttribute('open', '');
  table()?.dispatchEvent(new Event('toggle'));
  const shown = () => [title(), chosenOf('Work that counts'), table()?.open];
  narrowed.length = 0;
  const again = await pageOf(SummaryView, 'view/content', content, first);
  await expect.poll(shown).toEqual([ofStep, '1', true]);
  expect(narrowed).toHaveLength(1);
  await pageOf(SummaryView, 'view/content', another(), again);
  await expect.poll(shown).toEqual([whole, '0', false]);
});

it('ComparisonView shows the flame graph again, of the same runs alone', async () => {
  const run = runOf(traceFromText('stream 7  AABB'));
  const comparison = compareRuns(run, run);
  const flames = compareFlames(run, run, {}, comparison.noise.betweenRuns, true);
  const pair = {state: 'pair', names: ['before', 'after'], comparison, flames} as const;
  const told = {...pair, hasTimelines: false, isByShapes: false};
  const first = await pageOf(ComparisonView, 'comparison/content', told);
  const tab = () => document.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.textContent;
  [...document.querySelectorAll<HTMLElement>('[role=tab]')].find(one => one.textContent === 'Flame Graph')?.click();
  expect(tab()).toBe('Flame Graph');
  const again = await pageOf(ComparisonView, 'comparison/content', told, first);
  expect(tab()).toBe('Flame Graph');
  await pageOf(ComparisonView, 'comparison/content', {...told, names: ['before', 'later']}, again);
  expect(tab()).toBe('Changes');
});

it('JobPage shows the measure and the compared rank again, of the same job alone', async () => {
  const ranges = [{name: 'forward', gpuWorkNs: 5e6, cpuWallNs: 9e6, cpuSelfNs: 9e6}];
  const ranks = madeJob({ranks: 4, steps: 8, callsPerStep: 2, lateNs: rank => (rank === 2 ? 20e6 : 0)});
  const facts = jobFacts(ranks.map(rank => ({...rank, ranges})));
  const view = jobView(facts);
  const told = {state: 'open', key: 1, name: 'job', view, timeline: jobTimeline(facts, view.report.ranks), shown: null};
  const first = await pageOf(JobPage, 'job/content', told);
  const shown = () => [chosenOf('Measure'), chosenOf('Compare')];
  const [measure] = shown();
  const other = list('Measure')?.querySelectorAll('vscode-option')[1]?.getAttribute('value') ?? '';
  expect(other).not.toBe(measure);
  choose('Measure', other);
  choose('Compare', '3');
  const again = await pageOf(JobPage, 'job/content', told, first);
  expect(shown()).toEqual([other, '3']);
  await pageOf(JobPage, 'job/content', {...told, name: 'another job'}, again);
  expect(shown()).toEqual([measure, 'all']);
});

it('TablesView shows what another view asks for, not narrowed by what was chosen before', async () => {
  const first = await pageOf(TablesView, 'view/content', content);
  choose('Step', '1');
  const filter = field('Filter names');
  const range = field('Only work of this range');
  if (!filter || !range) throw new Error('There is no filter.');
  filter.value = 'gemm';
  range.value = 'attention';
  range.dispatchEvent(new Event('change'));
  await settle();
  document.body.replaceChildren();
  const host = new TestHost<never, TablesViewRequests>(answers);
  host.stored = first.stored;
  new TablesView(host.host as never, document.body).start();
  // Both arrive before the page knows the profile's tables.
  await Promise.all([
    host.tell('view/content', content),
    host.tell('range/show', {range: 'feed_forward', window: null}),
  ]);
  await expect.poll(() => field('Only work of this range')?.value).toBe('feed_forward');
  expect([field('Filter names')?.value, chosenOf('Step')]).toEqual(['', 'all']);
});
