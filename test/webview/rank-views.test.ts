// @vitest-environment jsdom
import {beforeEach, describe, expect, it, vi} from 'vitest';
import type {JobRanks} from '../../src/core/job/rank-choices.js';
import type {QueryHostRequests, QueryViewRequests} from '../../src/protocol/query-messages.js';
import {completePage, makeListsFocusable, settle, TestHost, type Question} from '../support/page.js';

completePage();
makeListsFocusable();
const {QueryView} = await import('../../webview/query/query-view.js');
const {RankSelector} = await import('../../webview/shared/rank-selector.js');

const job: JobRanks = {
  ...{shown: 0, ranks: [0, 1], files: ['a', 'b'], texts: ['Rank 0', 'Rank 1'], standings: []},
};
const result = (key: number, profileKey: number) => ({
  ...{key, profileKey, profile: 'train.rank0.json', sql: 'SELECT 1', columns: ['1'], isNumeric: [true]},
  ...{rowCount: 1, sort: [], filter: '', keptCount: 1, summary: '1 row'},
});
const list = () => document.querySelector<HTMLInputElement>('vscode-dropdown[aria-label=Rank]');
const choices = () => [...(list()?.querySelectorAll('vscode-option') ?? [])].map(({textContent}) => textContent);

beforeEach(() => {
  document.body.replaceChildren();
});

it('rows of a query offer the ranks of their job, ask once for each profile, and run on the rank that is chosen', async () => {
  const host = new TestHost<QueryHostRequests, QueryViewRequests>({'query/rows': () => [['1']]});
  new QueryView(host.host, document.body).start();
  await host.tell('query/content', {state: 'done', result: result(1, 7)});
  await host.tell('query/content', {state: 'done', result: result(2, 7)});
  expect(host.asked('ranks/list').map(({params}) => params)).toEqual([{key: 7}]);
  host.asked('ranks/list')[0]?.answer(job);
  await settle();
  expect(choices()).toEqual(['All ranks: a query is of one rank', 'Rank 0', 'Rank 1']);
  const control = list();
  if (!control) throw new Error('There is a list.');
  control.value = '1';
  control.dispatchEvent(new Event('change'));
  await settle();
  expect(host.asked('ranks/show').map(({params}) => params)).toEqual([{key: 7, rank: 1}]);
  host.asked('ranks/show')[0]?.fail('The job has no profile of rank 1.');
  await settle();
  expect(document.querySelector('[data-testid=summary]')?.textContent).toBe('The job has no profile of rank 1.');
  await host.tell('ranks/changed', undefined);
  host.asked('ranks/list')[1]?.answer(null);
  await settle();
  expect(choices()).toEqual([]);
});

it('a selector of a profile that is no job’s offers nothing', async () => {
  const host = new TestHost<QueryHostRequests, QueryViewRequests>();
  const selector = new RankSelector(host.host, {section: 'ranges', looked: () => null, fail: () => undefined});
  document.body.append(selector.element);
  selector.opened(1);
  host.asked('ranks/list')[0]?.answer(null);
  await settle();
  expect(choices()).toEqual([]);
});

describe('the list of ranks', () => {
  /** A selector of rank 0, whose list has the focus, beside another control. */
  async function focusedList() {
    const host = new TestHost<QueryHostRequests, QueryViewRequests>();
    const selector = new RankSelector(host.host, {section: 'ranges', looked: () => null, fail: () => undefined});
    const other = document.createElement('input');
    document.body.append(selector.element, other);
    selector.opened(1);
    host.asked('ranks/list')[0]?.answer(job);
    await settle();
    list()?.focus();
    return {host, selector, other};
  }

  const choose = (value: string) => {
    const control = list();
    if (!control) throw new Error('There is no list.');
    control.value = value;
    control.dispatchEvent(new Event('change'));
    return control;
  };

  it.each(['0', 'all-ranks'])('keeps the focus after the choice %s, which leaves the view at its rank', async value => {
    await focusedList();
    const before = choose(value);
    expect([list() === before, document.activeElement === list()]).toEqual([false, true]);
  });

  it('keeps the focus when the ranks change', async () => {
    const {host, selector} = await focusedList();
    const before = list();
    selector.changed();
    host.asked('ranks/list')[1]?.answer({...job, texts: ['Rank 0 (slowest)', 'Rank 1']});
    await settle();
    expect([list() === before, document.activeElement === list()]).toEqual([false, true]);
  });

  /** Chooses rank 1, which opens. @param meanwhile what happens before its list is there */
  async function switchRank(meanwhile: (other: HTMLElement) => void) {
    const {host, selector, other} = await focusedList();
    choose('1');
    // The view is hidden while the rank opens.
    list()?.blur();
    selector.closed();
    selector.opened(2);
    meanwhile(other);
    host.asked('ranks/list')[1]?.answer({...job, shown: 1});
    await settle();
    expect(choices()).toHaveLength(3);
    return other;
  }

  it('has the focus again once the chosen rank is open', async () => {
    await switchRank(() => undefined);
    expect(document.activeElement).toBe(list());
  });

  it('leaves the focus to what has it by then', async () => {
    const other = await switchRank(control => {
      control.focus();
    });
    expect(document.activeElement).toBe(other);
  });

  it.each([
    {why: 'is damaged', end: (question?: Question) => question?.fail('b is damaged.')},
    {why: 'is not opened', end: (question?: Question) => question?.answer(false)},
  ])('does not take the focus when a chosen rank $why and is opened later in another way', async ({end}) => {
    const {host, selector} = await focusedList();
    choose('1');
    end(host.asked('ranks/show')[0]);
    await settle();
    list()?.blur();
    selector.opened(2);
    host.asked('ranks/list')[1]?.answer({...job, shown: 1});
    await settle();
    expect(choices()).toHaveLength(3);
    expect(document.activeElement).toBe(document.body);
  });

  it('does not take the focus in an editor, which reads its own file again after another rank was chosen', async () => {
    const {host, selector} = await focusedList();
    choose('1');
    host.asked('ranks/show')[0]?.answer(true);
    await settle();
    list()?.blur();
    selector.opened(2);
    host.asked('ranks/list')[1]?.answer(job);
    await settle();
    expect(choices()).toHaveLength(3);
    expect(document.activeElement).toBe(document.body);
  });

  it('has the focus in the rows of a query, which runs on the chosen rank after that is open', async () => {
    const {host, selector} = await focusedList();
    choose('1');
    host.asked('ranks/show')[0]?.answer(true);
    await settle();
    list()?.blur();
    selector.changed();
    host.asked('ranks/list')[1]?.answer(job);
    await settle();
    expect(document.activeElement).toBe(document.body);
    selector.opened(2);
    host.asked('ranks/list')[2]?.answer({...job, shown: 1});
    await settle();
    expect(document.activeElement).toBe(list());
  });

  it('does not take the focus from another page', async () => {
    const hasFocus = vi.spyOn(document, 'hasFocus');
    await switchRank(() => hasFocus.mockReturnValue(false));
    expect(document.activeElement).toBe(document.body);
    hasFocus.mockRestore();
  });
});
