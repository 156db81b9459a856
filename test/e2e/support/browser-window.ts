import {chromium, type Browser, type BrowserContext, type Page} from 'playwright-core';
import {inject} from 'vitest';

/** The browser context of this worker. It outlives test files, so that VS Code's programs stay in its cache. */
let context: BrowserContext | undefined;

/** The browser of all tests. */
export function connectedBrowser(): Promise<Browser> {
  browser ??= chromium.connect(inject('browser'));
  return browser;
}
let browser: Promise<Browser> | undefined;

/** Opens a page that knows nothing of those before it: what the server's origin had stored in the browser is cleared. */
export async function openPage(serverUrl: string, viewport: {width: number; height: number}): Promise<Page> {
  context ??= await (await connectedBrowser()).newContext({viewport});
  const page = await context.newPage();
  await page.setViewportSize(viewport);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', {origin: new URL(serverUrl).origin, storageTypes: 'all'});
  await devtools.detach();
  // A page of the same origin without VS Code in it.
  await page.goto(`${serverUrl}healthz`);
  const left = await page.evaluate(async () => [
    ...(await indexedDB.databases()).map(({name}) => `IndexedDB ${name ?? ''}`),
    ...Object.keys(localStorage).map(key => `localStorage ${key}`),
    ...document.cookie.split(';').filter(Boolean),
  ]);
  if (left.length > 0) throw new Error(`The last window's state is still in the browser: ${left.join(', ')}`);
  return page;
}

/** Closes a page as a person does: VS Code hears of it, and ends the extension host of the window at once. */
export async function closePage(page: Page): Promise<void> {
  if (!page.isClosed()) {
    await page.goto('about:blank');
    await page.close();
  }
  await context?.clearPermissions();
}
