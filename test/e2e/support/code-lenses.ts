import type {Locator, Page} from 'playwright-core';
import {vi} from 'vitest';

export const codeLens = '.codelens-decoration';

/**
 * Returns which of some elements are visible, the topmost first. VS Code appends a line's lenses to the page when they
 * are first drawn, and keeps invisible ones, hidden, above all others: their order in the page says nothing.
 */
async function byLine(lenses: Locator): Promise<{text: string; index: number}[]> {
  const found = await lenses.evaluateAll(elements =>
    elements
      .map((lens, index) => ({lens, index, topPx: lens.getBoundingClientRect().top}))
      .filter(({lens}) => lens.checkVisibility({visibilityProperty: true}))
      .sort((a, b) => a.topPx - b.topPx)
      .map(({lens, index}) => ({text: lens.textContent, index})),
  );
  return found;
}

/**
 * Returns the texts of the visible CodeLenses, once there are any and they are stable: VS Code hides them while it
 * requests them again.
 */
export async function codeLensTexts(page: Page): Promise<string[]> {
  await page.locator(`${codeLens} a`).first().waitFor({state: 'attached'});
  let last = '';
  const settled = async () => {
    const found = await byLine(page.locator(`${codeLens} a, ${codeLens} span`));
    // Buttons beside a text have only an icon.
    const texts = found.map(({text}) => text).filter(text => /\w/.test(text));
    const isSame = texts.length > 0 && texts.join('\n') === last;
    last = texts.join('\n');
    return isSame && texts;
  };
  return vi.waitUntil(settled, {timeout: 60_000, interval: 50});
}

/** Clicks the CodeLens that is the `at`-th from the top among `lenses`; the last if -1. */
export async function clickLens(lenses: Locator, at: number): Promise<void> {
  const found = await vi.waitUntil(async () => (await byLine(lenses)).at(at), {timeout: 60_000, interval: 50});
  await lenses.nth(found.index).click();
}
