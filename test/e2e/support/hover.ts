import type {Locator, Page} from 'playwright-core';
import {vi} from 'vitest';

/** Returns the hover with `text` of a line of an editor; the mouse rests on the line's end. */
export async function hoverOf(line: Locator, text: string): Promise<Locator> {
  return hoverAt(line.page(), text, () => line.locator('span').last().hover());
}

/**
 * Returns the hover with `text` that is there once `rest` has moved the mouse. The editor moves lines when their figures
 * come, and shows no hover for what has left the mouse: then the mouse comes again.
 */
export async function hoverAt(page: Page, text: string, rest: () => Promise<void>): Promise<Locator> {
  const hover = page.locator('.monaco-hover-content', {hasText: text}).first();
  const isShown = async () => {
    await page.mouse.move(0, 0);
    await rest();
    return hover.waitFor({timeout: 5000}).then(
      () => true,
      () => false,
    );
  };
  await vi.waitUntil(isShown, {timeout: 60_000, interval: 100});
  return hover;
}
