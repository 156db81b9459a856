// @vitest-environment jsdom
import {beforeEach, expect, it} from 'vitest';
import type {JobRanks} from '../../src/core/job/rank-choices.js';
import type {QueryHostRequests, QueryViewRequests} from '../../src/protocol/query-messages.js';
import {completePage, settle, TestHost} from '../support/page.js';

completePage();
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
