import type {Frame, Page} from 'playwright-core';
import {expect} from 'vitest';

/** Returns the Markdown preview with a title, once it has this text. */
export async function previewOf(page: Page, title: string, text = ''): Promise<Frame> {
  let preview: Frame | undefined;
  const isPreview = async (frame: Frame) => {
    const heading = await frame
      .locator('h1')
      .textContent({timeout: 500})
      .catch(() => null);
    return heading === title && ((await frame.locator('body').textContent()) ?? '').includes(text);
  };
  const find = async () => {
    for (const frame of page.frames()) if (await isPreview(frame)) preview = frame;
    return preview;
  };
  await expect.poll(find, {timeout: 30_000}).toBeDefined();
  return preview ?? page.mainFrame();
}
