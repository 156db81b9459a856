import {mkdtempSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {chromium, type BrowserContext, type Page} from 'playwright-core';
import {inject} from 'vitest';
import {chromiumFlags} from '../../../scripts/lib/chromium.mjs';

/**
 * The browser of this worker. It outlives test files, and keeps a profile on the disk: only there does Chromium keep
 * VS Code's programs compiled, which saves a quarter of the time that a window takes to start.
 */
let context: BrowserContext | undefined;

/** What a page of VS Code may leave behind. The compiled programs stay. */
const leftBehind = 'cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage';

/** Opens a page that knows nothing of those before it: what the server's origin had stored in the browser is cleared. */
export async function openPage(serverUrl: string, viewport: {width: number; height: number}): Promise<Page> {
  context ??= await chromium.launchPersistentContext(mkdtempSync(join(dirname(inject('extensions')), 'browser-')), {
    executablePath: inject('chromium'),
    args: chromiumFlags,
    viewport,
    // A worker that is told to end ends, and the browser with it: Playwright would end the browser alone.
    ...{handleSIGHUP: false, handleSIGINT: false, handleSIGTERM: false},
  });
  const page = await context.newPage();
  await page.setViewportSize(viewport);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', {origin: new URL(serverUrl).origin, storageTypes: leftBehind});
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
