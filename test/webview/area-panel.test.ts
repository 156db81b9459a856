// @vitest-environment jsdom
import {expect, it} from 'vitest';
import type {WindowSummary} from '../../src/core/questions/window-summary.js';
import type {HostRequests, ViewRequests} from '../../src/protocol/view-messages.js';
import {completePage, settle, TestHost} from '../support/page.js';

completePage();
const {AreaPanel} = await import('../../webview/timeline/area-panel.js');

const kernel = (name: string, insideNs: number, count: number) => ({
  ...{name, kind: 'kernel' as const, className: ''},
  ...{insideNs, count},
});
const summary: WindowSummary = {
  ...{fromNs: 0, toNs: 10_000, devices: [], ranges: [], omitted: 0, allOperationsNs: 9000, allCallsNs: 0, calls: []},
  operations: [kernel('void <b>gemm</b>(int)', 6000, 2), kernel('relu', 3000, 30)],
};

async function opened(stored?: unknown) {
  const host = new TestHost<HostRequests, ViewRequests>({
    'timeline/window': () => summary,
    'clipboard/write': () => null,
  });
  host.stored = stored;
  const panel = new AreaPanel(host.host, () => undefined);
  document.body.replaceChildren(panel.element);
  await panel.show(1, {fromNs: 0, toNs: 10_000});
  await settle();
  return {host, panel};
}

const counts = () => [...document.querySelectorAll('.body .row .cell:nth-child(4)')].map(cell => cell.textContent);
const header = (at: number) => document.querySelectorAll<HTMLElement>('.head .cell').item(at);

it('has rows in the grid of all views, most time first, sorted by any column and so when it is opened again', async () => {
  const {host} = await opened();
  expect(counts()).toEqual(['2', '30']);
  expect(header(1).getAttribute('aria-sort')).toBe('descending');
  header(3).click();
  expect(counts()).toEqual(['30', '2']);
  await opened(host.stored);
  expect(counts()).toEqual(['30', '2']);
});

it('stays as it is sorted and filtered while the area is drawn anew', async () => {
  const {panel} = await opened();
  header(3).click();
  const grid = document.querySelector('[role=grid]');
  await panel.show(1, {fromNs: 0, toNs: 9000});
  await settle();
  expect(document.querySelector('[role=grid]')).toBe(grid);
  expect(counts()).toEqual(['30', '2']);
});

it('copies rows as they are shown, with whole names and plain numbers, and says where there are none', async () => {
  const written: string[] = [];
  const host = new TestHost<HostRequests, ViewRequests>({
    'timeline/window': () => summary,
    'clipboard/write': ({text}: {text: string}) => {
      written.push(text);
    },
  });
  const panel = new AreaPanel(host.host, () => undefined);
  document.body.replaceChildren(panel.element);
  await panel.show(1, {fromNs: 0, toNs: 10_000});
  header(3).click();
  document.querySelector<HTMLElement>('[aria-label="Copy the table"]')?.click();
  const lines = ['Name\tGPU work\tShare\tCount', `relu\t3000\t${String(1 / 3)}\t30`];
  expect(written[0]?.split('\n').slice(0, 2)).toEqual(lines);
  expect(written[0]).toContain('void <b>gemm</b>(int)\t6000');
  [...document.querySelectorAll<HTMLElement>('[role=tab]')].find(tab => tab.textContent === 'Ranges 0')?.click();
  expect(document.querySelector('.area-body')?.textContent).toBe('Nothing: no ranges in this area.');
});
