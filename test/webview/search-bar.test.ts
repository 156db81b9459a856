// @vitest-environment jsdom
import {expect, it, vi} from 'vitest';
import {searchGroups} from '../../src/core/questions/search-groups.js';
import {
  matchingNames,
  searchSlices,
  textTest,
  type SearchQuery,
  type SearchStep,
} from '../../src/core/questions/search-slices.js';
import type {SliceDetails} from '../../src/core/questions/slice-details.js';
import type {HostRequests, ViewRequests} from '../../src/protocol/view-messages.js';
import {completePage, settle, TestHost} from '../support/page.js';
import {patience} from '../support/patience.js';
import {traceFromText} from '../support/trace-from-text.js';

completePage();
const {SearchBar} = await import('../../webview/timeline/search-bar.js');

const trace = traceFromText(`
  range feed      ==    ==    ==
  call            F
  stream 7           FF
`);
const fits = (query: SearchQuery) => matchingNames(trace.strings, textTest(query));

it('SearchBar goes on from where typing began, not from what the first letters found', async () => {
  const host = new TestHost<HostRequests, ViewRequests>({
    'timeline/search-groups': ({query}: {query: SearchQuery}) => searchGroups(trace, fits(query)),
    'timeline/search': ({query, step}: {query: SearchQuery; step: SearchStep}) =>
      searchSlices(trace, fits(query), step),
  });
  const hits: SliceDetails[] = [];
  const found = () => hits.map(({name, startNs}) => `${name} ${String(startNs)}`);
  /** Whether the timeline shows a later window, in which nothing is selected. */
  let isMoved = false;
  const bar = new SearchBar(host.host, {
    key: () => 1,
    from: () => ({slice: isMoved ? -1 : (hits.at(-1)?.slice ?? -1), fromNs: isMoved ? 8000 : 0}),
    opened: () => undefined,
    show: hit => {
      hits.push(hit);
      return [];
    },
    closed: () => undefined,
    goToStep: () => false,
  });
  document.body.append(bar.element);
  bar.open();
  const input = bar.element.querySelector('input');
  if (!input) throw new Error('The search has no field.');
  async function type(text: string): Promise<void> {
    const before = hits.length;
    if (input) input.value = text;
    input?.dispatchEvent(new Event('input'));
    await vi.waitUntil(() => hits.length > before, patience);
    await settle();
  }
  await type('f');
  await type('fe');
  expect(found()).toEqual(['kernel_F 3000', 'feed 0']);

  input.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}));
  await vi.waitUntil(() => hits.length === 3, patience);
  await type('fee');
  await type('feed');
  expect(found().slice(2)).toEqual(['feed 6000', 'feed 6000', 'feed 6000']);

  input.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}));
  bar.open();
  isMoved = true;
  await type('fe');
  expect(found().at(-1)).toBe('feed 12000');

  // Another slice was selected meanwhile.
  isMoved = false;
  input.blur();
  hits.push(...hits.slice(1, 2));
  input.focus();
  await type('feed');
  expect(found().at(-1)).toBe('feed 0');

  // Enter before what was typed is searched for.
  const before = hits.length;
  input.value = 'eed';
  input.dispatchEvent(new Event('input'));
  input.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}));
  await vi.waitUntil(() => hits.length > before, patience);
  expect(found().at(-1)).toBe('feed 0');
});

it('SearchBar.end() takes the keyboard from nobody', () => {
  const told: boolean[] = [];
  const bar = new SearchBar(new TestHost<HostRequests, ViewRequests>({}).host, {
    ...{key: () => 1, from: () => ({slice: -1, fromNs: 0}), opened: () => undefined, show: () => []},
    closed: (_, hadKeys) => told.push(hadKeys),
    goToStep: () => false,
  });
  const other = document.createElement('input');
  document.body.replaceChildren(bar.element, other);
  bar.open();
  other.focus();
  bar.end();
  bar.open();
  bar.end();
  bar.open();
  // The page itself has lost the focus, to an editor.
  const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  bar.end();
  hasFocus.mockRestore();
  expect(told).toEqual([false, true, false]);
});
