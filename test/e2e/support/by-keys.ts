import type {Frame, Page} from 'playwright-core';
import {expect} from 'vitest';
import {enterQuickRow, quickInput} from './quick-input.js';

/** More tab stops than any view has before a test's target. */
const mostStops = 150;

/** Runs a command without a mouse: types its title in the palette, and presses Enter. */
export async function commandByKeys(page: Page, title: string): Promise<void> {
  await enterQuickRow(page, 'F1', `>${title}`, title);
}

/** Types a file's name into the dialog that a command has just opened, once the dialog has read the folder. */
export async function fileByKeys(page: Page, name: string): Promise<void> {
  await page.locator('.quick-input-list .monaco-list-row', {hasText: name}).first().waitFor();
  const input = page.locator(quickInput).first();
  await expect.poll(() => input.evaluate(element => element === document.activeElement)).toBe(true);
  await page.keyboard.type(name);
  await expect.poll(() => input.inputValue()).toMatch(new RegExp(`/${name}$`));
  await page.keyboard.press('Enter');
}

/**
 * Tabs through the controls of a view until one has this name, preceded by its role if it has one. The view must have
 * the focus.
 */
export async function tabTo(page: Page, view: Frame, name: RegExp): Promise<void> {
  await expect.poll(() => view.evaluate(() => document.hasFocus())).toBe(true);
  const stops: string[] = [];
  while (!name.test(stops.at(-1) ?? '')) {
    if (stops.length === mostStops) throw new Error(`No stop is called ${String(name)}: ${stops.join(', ')}`);
    await page.keyboard.press('Tab');
    stops.push(
      await view.evaluate(() => {
        const {activeElement} = document;
        const name = activeElement?.getAttribute('aria-label') ?? activeElement?.textContent.trim() ?? '';
        return `${activeElement?.role ?? ''} ${name}`.trim();
      }),
    );
  }
}
