import type {Frame, Page} from 'playwright-core';
import {vi} from 'vitest';
import {patience} from '../../support/patience.js';
import {webviewsLoaded} from './webviews-loaded.js';

/** Returns the Markdown preview with a title, once it has this text. */
export async function previewOf(page: Page, title: string, text = ''): Promise<Frame> {
  const isPreview = async (frame: Frame) => {
    // A frame may be gone by now.
    const textsOf = (selector: string) =>
      frame
        .locator(selector)
        .allTextContents()
        .catch(() => []);
    return (await textsOf('h1'))[0] === title && (await textsOf('body')).join('').includes(text);
  };
  const find = async () => {
    let last: Frame | null = null;
    for (const frame of page.frames()) if (await isPreview(frame)) last = frame;
    return last;
  };
  await vi.waitUntil(find, patience);
  // A page that is loaded anew has another frame.
  await webviewsLoaded(page);
  return vi.waitUntil(find, patience);
}
