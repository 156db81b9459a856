// @vitest-environment jsdom
import {expect, it} from 'vitest';
import type {HostRequests, ViewRequests} from '../../src/protocol/view-messages.js';
import {completePage, settle, TestHost} from '../support/page.js';

completePage();
// They need the page when they are read.
const {AreaPanel} = await import('../../webview/timeline/area-panel.js');
const {offerStepMenu} = await import('../../webview/timeline/step-menu.js');

it('the panel of a marked area has a button that saves it', async () => {
  const host = new TestHost<HostRequests, ViewRequests>();
  const panel = new AreaPanel(host.host, () => undefined);
  document.body.append(panel.element);
  panel.element.querySelector<HTMLElement>('[aria-label="Save this window as…"]')?.click();
  await settle();
  expect(host.asked('view/command').map(({params}) => params)).toEqual([{command: 'save-part'}]);
});

it('the right mouse button has the menu of a step where one is drawn, and none beside it', () => {
  const canvas = document.createElement('canvas');
  const step = {number: 7, slice: 3, process: 0, startNs: 0, endNs: 10};
  offerStepMenu(
    canvas,
    xPx => (xPx === 120 ? step : undefined),
    () => 5,
  );
  const contextAt = (x: number): unknown => {
    const event = new MouseEvent('contextmenu');
    Object.defineProperty(event, 'offsetX', {value: x});
    canvas.dispatchEvent(event);
    const text = canvas.dataset['vscodeContext'];
    return text === undefined ? null : JSON.parse(text);
  };
  expect(contextAt(50)).toBeNull();
  expect(contextAt(120)).toMatchObject({webviewSection: 'gpuLens.step', key: 5, step: 7});
  expect(contextAt(50)).toBeNull();
});
