import {mkdtempSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {chromium, type BrowserContext, type Page} from 'playwright-core';
import {inject} from 'vitest';
import {chromiumFlags} from '../../../scripts/lib/chromium.mjs';
import type {Server} from '../../../scripts/lib/code-server.mjs';
import {isLongSuite} from '../../support/long-tests.js';
import {patience} from '../../support/patience.js';
import {waitLonger} from './own-browser.js';

/**
 * The browser of this worker. It is kept for all test files, with a profile on the disk: only there does Chromium keep
 * VS Code's programs compiled, which saves a quarter of a window's start-up time.
 */
let context: BrowserContext | undefined;

/**
 * Flags that save processes, and a tenth of the processor's time: webviews share the process of their window, and
 * Chromium draws in its main process.
 */
const fewProcesses = ['--in-process-gpu', '--renderer-process-limit=1', '--disable-site-isolation-trials'];

/** Data that a page of VS Code may leave behind. The compiled programs stay. */
const leftBehind = 'cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage';

/**
 * Opens a page without data from earlier ones: the server origin's stored data in the browser is cleared. The page is
 * logged in.
 */
export async function openPage(
  {url, cookie}: Pick<Server, 'url' | 'cookie'>,
  viewport: {width: number; height: number},
): Promise<Page> {
  context ??= await chromium.launchPersistentContext(mkdtempSync(join(dirname(inject('extensions')), 'browser-')), {
    executablePath: inject('chromium'),
    args: [...chromiumFlags, ...fewProcesses],
    viewport,
    timeout: patience.timeout,
    // VS Code and views stand still while they wait; the long suite has the usual motion.
    reducedMotion: isLongSuite ? null : 'reduce',
    // If the worker is told to end, it ends with the browser; Playwright would end only the browser.
    ...{handleSIGHUP: false, handleSIGINT: false, handleSIGTERM: false},
  });
  waitLonger(context);
  const page = await context.newPage();
  await page.setViewportSize(viewport);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', {origin: new URL(url).origin, storageTypes: leftBehind});
  await devtools.detach();
  // A page of the same origin without VS Code.
  await page.goto(`${url}healthz`);
  const left = await page.evaluate(async () => [
    ...(await indexedDB.databases()).map(({name}) => `IndexedDB ${name ?? ''}`),
    ...Object.keys(localStorage).map(key => `localStorage ${key}`),
    ...document.cookie.split(';').filter(Boolean),
  ]);
  if (left.length > 0) throw new Error(`The last window's state is still in the browser: ${left.join(', ')}`);
  await context.addCookies([{...cookie, url, httpOnly: true}]);
  return page;
}

/** Closes a page as a user does: VS Code notices it, and ends the window's extension host at once. */
export async function closePage(page: Page): Promise<void> {
  if (!page.isClosed()) {
    await page.goto('about:blank');
    await page.close();
  }
  await context?.clearPermissions();
}
