// Checks that the sample project works in VS Code, in a headless Chromium.
import {chromium} from 'playwright-core';
import {chromiumFlags, ensureChromium} from './chromium.mjs';
import {profileItem} from './profile-item.mjs';
import {SetupError} from './setup-error.mjs';

const timeoutMs = 90_000;

/** Opens the sample at `url`, with the cookie of its server; resolves with what it found, rejects with what is missing. */
export async function checkSample(url, cookie) {
  const browser = await launch(await ensureChromium());
  try {
    const page = await browser.newPage({viewport: {width: 1400, height: 900}});
    page.setDefaultTimeout(timeoutMs);
    await page.context().addCookies([{...cookie, url}]);
    await page.goto(url);
    const status = page.locator(profileItem, {hasText: 'train.pt.trace.json.gz · '});
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

async function launch(executablePath) {
  try {
    return await chromium.launch({executablePath, args: chromiumFlags});
  } catch (error) {
    const [first] = error.message.split('\n');
    throw new SetupError(
      `${executablePath} does not start (${first}): install Chromium again, or name another in GPU_LENS_CHROMIUM.`,
    );
  }
}
