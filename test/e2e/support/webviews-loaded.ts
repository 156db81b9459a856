import type {Page} from 'playwright-core';

/**
 * Waits until the pages of all visible webviews are loaded. When one has loaded, VS Code gives it the focus that its
 * editor had: a list or menu that a test opened meanwhile closes, and keys reach neither VS Code nor the view until the
 * next click. Of VS Code's frames, `pending-frame` becomes `active-frame` with the focus.
 */
export async function webviewsLoaded(page: Page, timeoutMs = 30_000): Promise<void> {
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll<HTMLIFrameElement>('iframe.webview')]
        .filter(webview => webview.checkVisibility({visibilityProperty: true}))
        .every(webview => {
          const pages = [...(webview.contentDocument?.querySelectorAll('iframe') ?? [])];
          return pages.length > 0 && pages.every(({id}) => id === 'active-frame');
        }),
    undefined,
    {timeout: timeoutMs},
  );
}
