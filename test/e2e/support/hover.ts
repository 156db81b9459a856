import type {Locator} from 'playwright-core';
import {vi} from 'vitest';

/**
 * Rests the mouse on the end of a line of an editor until its hover with `text` is there, and returns the hover. The
 * editor moves lines when their figures come, and shows no hover for a line that has left the mouse: then the mouse
 * comes again.
 */
export async function hoverOf(line: Locator, text: string): Promise<Locator> {
  const page = line.page();
  const hover = page.locator('.monaco-hover-content', {hasText: text}).first();
  const isShown = async () => {
    await page.mouse.move(0, 0);
    await line.locator('span').last().hover();
    return hover.waitFor({timeout: 5000}).then(
      () => true,
      () => false,
    );
  };
  await vi.waitUntil(isShown, {timeout: 60_000, interval: 100});
  return hover;
}
