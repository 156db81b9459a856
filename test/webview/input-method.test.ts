// @vitest-environment jsdom
import {expect, it, vi} from 'vitest';
import {searchGroups} from '../../src/core/questions/search-groups.js';
import {matchingNames, searchSlices, textTest, type SearchStep} from '../../src/core/questions/search-slices.js';
import type {HostRequests, ViewRequests} from '../../src/protocol/view-messages.js';
import {completePage, settle, TestHost} from '../support/page.js';
import {patience} from '../support/patience.js';
import {traceFromText} from '../support/trace-from-text.js';

completePage();
const {SearchBar} = await import('../../webview/timeline/search-bar.js');
const {leaveKeysToInputMethod} = await import('../../webview/shared/input-method.js');

it('leaves Enter and Escape to an input method that composes a name', async () => {
  leaveKeysToInputMethod();
  const trace = traceFromText(`
    range feed  ==  ==
    call        F
    stream 7      FF
  `);
  const ids = matchingNames(trace.strings, textTest({text: 'feed', isRegex: false, isWhole: false}));
  const host = new TestHost<HostRequests, ViewRequests>({
    'timeline/search-groups': () => searchGroups(trace, ids),
    'timeline/search': ({step}: {step: SearchStep}) => searchSlices(trace, ids, step),
  });
  const done: string[] = [];
  const bar = new SearchBar(host.host, {
    key: () => 1,
    from: () => ({slice: -1, fromNs: 0}),
    opened: () => undefined,
    show: ({name}) => {
      done.push(name);
      return [];
    },
    closed: () => done.push('closed'),
    goToStep: () => false,
  });
  document.body.append(bar.element);
  bar.open();
  const input = bar.element.querySelector('input');
  if (!input) throw new Error('The search has no field.');
  input.value = 'feed';
  const press = async (key: string, isComposing: boolean) => {
    input.dispatchEvent(new KeyboardEvent('keydown', {key, isComposing, bubbles: true}));
    await settle();
  };
  await press('Enter', true);
  await press('Escape', true);
  expect(done).toEqual([]);
  await press('Enter', false);
  await vi.waitUntil(() => done.length > 0, patience);
  await press('Escape', false);
  expect(done).toEqual(['feed', 'closed']);
});
