// Sees the sample project work in VS Code, in a headless Chromium.
import {chromium} from 'playwright-core';
import {chromiumFlags, ensureChromium} from './chromium.mjs';

const timeoutMs = 90_000;

/** Opens the sample at `url`; resolves with what was seen, rejects with what was not. */
export async function checkSample(url) {
  const browser = await chromium.launch({executablePath: await ensureChromium(), args: chromiumFlags});
  try {
    const page = await browser.newPage({viewport: {width: 1400, height: 900}});
    page.setDefaultTimeout(timeoutMs);
    await page.goto(url);
    const status = page.locator('.statusbar-item', {hasText: 'train.pt.trace.json.gz'});
    await status.waitFor();
    await page.locator('.explorer-folders-view .monaco-list-row', {hasText: 'train.py'}).dblclick();
    const lens = page.locator('.codelens-decoration a').first();
    await lens.waitFor();
    return [
      `The extension is active: ${(await status.textContent()).trim()}`,
      `CodeLens: ${(await page.locator('.codelens-decoration a').allTextContents()).join(' | ')}`,
    ];
  } finally {
    await browser.close();
  }
}
