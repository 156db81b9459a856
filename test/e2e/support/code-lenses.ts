import type {Locator, Page} from 'playwright-core';
import {vi} from 'vitest';
import {patience} from '../../support/patience.js';

export const codeLens = '.codelens-decoration';

interface Lens {
  readonly text: string;
  readonly topPx: number;
  /** Its place in the page. */
  readonly index: number;
}

/**
 * Returns the visible ones of some elements, the topmost first. VS Code appends a line's lenses to the page when they
 * are first drawn, and keeps invisible ones, hidden, above all others: their order in the page says nothing.
 */
async function visibleFromTop(lenses: Locator): Promise<Lens[]> {
  return lenses.evaluateAll(elements =>
    elements
      .map((lens, index) => ({lens, index, topPx: lens.getBoundingClientRect().top}))
      .filter(({lens}) => lens.checkVisibility({visibilityProperty: true}))
      .sort((a, b) => a.topPx - b.topPx)
      .map(({lens, index, topPx}) => ({text: lens.textContent, topPx, index})),
  );
}

/** Returns whether two readings are the same lenses, at the same place. */
const isSame = (a: readonly Lens[], b: readonly Lens[]) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Returns the visible elements from the top, once there are at least `least` and two readings agree: VS Code hides
 * lenses while it requests them again.
 */
async function settled(lenses: Locator, least = 1): Promise<Lens[]> {
  let last: Lens[] = [];
  const read = async () => {
    const before = last;
    last = await visibleFromTop(lenses);
    return last.length >= least && isSame(last, before) && last;
  };
  return vi.waitUntil(read, patience).catch((error: unknown) => {
    const texts = last.map(({text}) => text).join(', ');
    throw new Error(`Too few CodeLenses match ${String(lenses)}; last seen: ${texts}`, {cause: error});
  });
}

/** Returns the texts of the visible CodeLenses from the top, once they are stable. */
export async function codeLensTexts(page: Page): Promise<string[]> {
  // Buttons beside a text have only an icon.
  const found = await settled(page.locator(`${codeLens} a, ${codeLens} span`).filter({hasText: /\w/}));
  return found.map(({text}) => text);
}

/** Clicks the CodeLens that is the `at`-th from the top among `lenses`, the first as 0; the last as -1. */
export async function clickLens(lenses: Locator, at: number): Promise<void> {
  const lens = (await settled(lenses, Math.max(at, 0) + 1)).at(at);
  // By its place: VS Code replaces a lens’s elements whenever it draws them again.
  await lenses.nth(lens?.index ?? 0).click();
}
