import type {Frame, Page} from 'playwright-core';
import {vi} from 'vitest';
import {patience} from '../../support/patience.js';
import {webviewsLoaded} from './webviews-loaded.js';

/**
 * Returns the last frame that `isIt` accepts, after VS Code has loaded all webviews: a webview that is loaded again gets
 * a new frame.
 *
 * @param textsOf each call returns the texts of a selector's elements; none if the frame is gone
 * @param what the frame, for the error's message
 */
export async function findFrame(
  page: Page,
  isIt: (textsOf: (selector: string) => Promise<string[]>) => Promise<boolean>,
  what: string,
): Promise<Frame> {
  const find = async () => {
    let last: Frame | null = null;
    for (const frame of page.frames()) {
      const textsOf = (selector: string) =>
        frame
          .locator(selector)
          .allTextContents()
          .catch(() => []);
      if (await isIt(textsOf)) last = frame;
    }
    return last;
  };
  const found = () =>
    vi.waitUntil(find, patience).catch((error: unknown) => {
      throw new Error(`There is no ${what}.`, {cause: error});
    });
  await found();
  await webviewsLoaded(page);
  return found();
}
