// @vitest-environment jsdom
import {afterEach, beforeAll, expect, it} from 'vitest';
import type {PageFault} from '../../src/protocol/page-messages.js';
import {completePage} from '../support/page.js';

completePage();
const {watchFaults} = await import('../../webview/shared/fault-bar.js');

const asked: [method: string, params: unknown][] = [];
beforeAll(() => {
  document.title = 'GPU Tables';
  watchFaults((method, params) => {
    asked.push([method, params]);
    // A host that is gone answers nothing: that is no second fault.
    return Promise.reject(new Error('The view was closed.'));
  });
});
afterEach(() => {
  asked.length = 0;
});

const bar = () => document.querySelector('.fault');
const click = (label: string) =>
  bar()?.querySelector(`vscode-button[aria-label="${label}"]`)?.dispatchEvent(new Event('click'));
const rejected = (reason: unknown) => {
  // jsdom has no event for it.
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), {reason}));
};

it('says in the page what was thrown and by nobody caught, names as text, and tells the log where it came from', () => {
  const error = new TypeError('<b>rows</b> is undefined');
  window.dispatchEvent(new ErrorEvent('error', {error, message: error.message}));
  expect(bar()?.getAttribute('role')).toBe('alert');
  expect(bar()?.textContent).toContain('Something went wrong in this view: <b>rows</b> is undefined');
  const [[method, fault] = []] = asked;
  expect(method).toBe('page/fault');
  expect(fault).toMatchObject({page: 'GPU Tables', message: '<b>rows</b> is undefined'});
  expect((fault as PageFault).stack).toContain('fault-bar.test');
});

it('leads to the log and copies the last fault, until it is closed', () => {
  rejected('no answer');
  expect(document.querySelectorAll('.fault').length).toBe(1);
  click('Show Log');
  click('Copy Details');
  expect(asked.slice(1)).toEqual([
    ['page/show-log', undefined],
    ['page/copy-fault', {page: 'GPU Tables', message: 'no answer', stack: ''}],
  ]);
  click('Close');
  expect(bar()).toBeNull();
});

it('is silent about sizes that are measured in the next frame, and tells the log no endless list, but the page each fault', () => {
  window.dispatchEvent(
    new ErrorEvent('error', {message: 'ResizeObserver loop completed with undelivered notifications.'}),
  );
  expect(asked).toEqual([]);
  for (let time = 0; time < 100; time++) rejected(new Error(String(time)));
  expect(asked.length).toBeLessThanOrEqual(20);
  expect(bar()?.textContent).toContain(': 99');
});
