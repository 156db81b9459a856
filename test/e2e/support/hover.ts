import type {Locator, Page} from 'playwright-core';
import {vi} from 'vitest';
import {falseOnTimeout} from './false-on-timeout.js';
import {patience} from '../../support/patience.js';

/** How long one step may take before the mouse is moved again, ms. */
const stepMs = 10_000;

/** Returns the hover with `text` of a line of an editor; the mouse rests on the line's end. */
export async function hoverOf(line: Locator, text: string): Promise<Locator> {
  return hoverAt(line.page(), text, () => line.locator('span').last().hover({timeout: stepMs}));
}

/**
 * Moves the mouse until a hover with `text` is shown, and returns the hover. Code lenses that arrive move the line away
 * from the mouse, and VS Code then shows none until the mouse moves.
 */
export async function hoverAt(page: Page, text: string, moveMouse: () => Promise<void>): Promise<Locator> {
  const hover = page.locator('.monaco-hover-content', {hasText: text}).first();
  const isShown = async () => {
    await page.mouse.move(0, 0);
    await moveMouse();
    await hover.waitFor({timeout: stepMs});
    return true;
  };
  await vi.waitUntil(() => isShown().catch(falseOnTimeout), patience);
  return hover;
}
