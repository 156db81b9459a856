import {chromium, type Browser, type BrowserContext} from 'playwright-core';
import {inject} from 'vitest';
import {chromiumFlags} from '../../../scripts/lib/chromium.mjs';
import {patience} from '../../support/patience.js';

/** Starts a browser without VS Code, for pages that a test makes itself; Playwright's own limit is 30 s. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({executablePath: inject('chromium'), args: chromiumFlags, timeout: patience.timeout});
}

/** Gives what happens in pages more time than Playwright's own 30 s, which are too short on a busy machine. */
export function waitLonger<T extends Pick<BrowserContext, 'setDefaultTimeout' | 'setDefaultNavigationTimeout'>>(
  pages: T,
): T {
  pages.setDefaultTimeout(patience.timeout);
  pages.setDefaultNavigationTimeout(patience.timeout);
  return pages;
}
