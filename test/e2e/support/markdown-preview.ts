import type {Frame, Page} from 'playwright-core';
import {findFrame} from './find-frame.js';

/** Returns the Markdown preview with a title, once it has this text. */
export function previewOf(page: Page, title: string, text = ''): Promise<Frame> {
  return findFrame(
    page,
    async textsOf => (await textsOf('h1'))[0] === title && (await textsOf('body')).join('').includes(text),
    `preview “${title}” with the text “${text}”`,
  );
}
