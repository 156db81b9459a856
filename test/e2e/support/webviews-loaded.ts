import type {Page} from 'playwright-core';
import {patience} from '../../support/patience.js';

/**
 * Waits until the pages of all visible webviews are loaded. When one has loaded, VS Code gives it the focus that its
 * editor had: a list or menu that a test opened meanwhile closes, and keys reach neither VS Code nor the view until the
 * next click. VS Code loads a page in a frame with the id `pending-frame`; then the frame becomes `active-frame`, and
 * gets the focus. An editor’s element exists before its webview; its `aria-flowto` is the id of the webview’s container.
 */
export async function webviewsLoaded(page: Page, timeoutMs: number = patience.timeout): Promise<void> {
  await page.waitForFunction(
    () => {
      const isVisible = (element: Element) => element.checkVisibility({visibilityProperty: true});
      const visible = [...document.querySelectorAll<HTMLIFrameElement>('iframe.webview')].filter(isVisible);
      const editors = [...document.querySelectorAll('.editor-instance [id^="webview-editor-element-"]')];
      const areThere = editors.filter(isVisible).every(editor => {
        const container = document.getElementById(editor.getAttribute('aria-flowto') ?? '');
        return visible.some(webview => container?.contains(webview));
      });
      const areLoaded = visible.every(webview => {
        const pages = [...(webview.contentDocument?.querySelectorAll('iframe') ?? [])];
        return pages.length > 0 && pages.every(({id}) => id === 'active-frame');
      });
      return areThere && areLoaded;
    },
    undefined,
    {timeout: timeoutMs},
  );
}
