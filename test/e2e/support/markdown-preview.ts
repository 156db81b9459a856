import type {Frame, Page} from 'playwright-core';
import {expect} from 'vitest';

/** Returns the Markdown preview with a title, once it has this text. */
export async function previewOf(page: Page, title: string, text = ''): Promise<Frame> {
  let preview: Frame | undefined;
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
    for (const frame of page.frames()) if (await isPreview(frame)) preview = frame;
    return preview;
  };
  await expect.poll(find).toBeDefined();
  return preview ?? page.mainFrame();
}
