// @vitest-environment jsdom
import {expect, it} from 'vitest';
import type {Finding} from '../../src/core/findings/rules/finding.js';
import {completePage} from '../support/page.js';

completePage();
// It needs the page when it is read.
const {FindingList} = await import('../../webview/summary/finding-list.js');

const finding: Finding = {
  ...{rule: 'idle/data-loader', severity: 'high', title: '<b>Waits</b> for data', evidence: [], gainAtMostNs: 1e6},
  ...{advice: 'Use workers.', link: null, file: 'train.py', line: 40, startNs: 5},
};

it('FindingList leads from a finding to its line and to its moment, where it has them', () => {
  const done: unknown[] = [];
  const list = new FindingList({
    source: ({file, line}) => done.push([file, line]),
    timeline: startNs => done.push(startNs),
    all: () => done.push('all'),
  });
  document.body.append(list.element);
  const placeless: Finding = {...finding, title: 'Launches', file: null, line: null, startNs: null};
  list.show({findings: [finding, placeless], hasGpuWork: true, notes: []});
  const links = [...list.element.querySelectorAll<HTMLElement>('li.high > .places > vscode-button')];
  expect(links.map(({textContent}) => textContent.trim())).toEqual(['train.py:40', 'Show in timeline']);
  for (const link of links) link.click();
  expect(done).toEqual([['train.py', 40], 5]);
  // A title is text.
  expect(list.element.textContent).toContain('<b>Waits</b> for data');
});

it('FindingList announces how many there are in one sentence, which stays in the page, and no list', () => {
  const list = new FindingList({source: () => undefined, timeline: () => undefined, all: () => undefined});
  document.body.replaceChildren(list.element);
  list.wait();
  const [said] = list.element.querySelectorAll('[aria-live]');
  expect(said?.textContent).toContain('Looking for what stands out…');
  list.show({findings: [finding, finding], hasGpuWork: true, notes: []});
  expect([...document.querySelectorAll('[aria-live]')]).toEqual([said]);
  expect(said?.textContent).toBe('2 findings');
  list.fail('no engine');
  expect(said?.textContent).toContain('no engine');
  expect(list.element.querySelector('li')).toBeNull();
});
