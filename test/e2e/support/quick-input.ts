import type {Locator, Page} from 'playwright-core';
import {expect, vi} from 'vitest';
import {patience} from '../../support/patience.js';
import {falseOnTimeout} from './false-on-timeout.js';
import {webviewsLoaded} from './webviews-loaded.js';

/** VS Code's list at the top of the window: the palette, Quick Open, and the choices of commands. */
export const quickInput = '.quick-input-widget input';
const quickRow = '.quick-input-list .monaco-list-row';

/** How long a window may take until it knows all commands and files, ms. */
const readyWithinMs: number = patience.timeout;

/** How long one step may take before the list is opened again, ms. */
const stepMs = 10_000;

/** How long VS Code may take to close the list after a click or Enter, ms: longer than a busy page stands still. */
const takenWithinMs = 15_000;

/**
 * Opens the quick input with a key, types, and waits for the row with `label`. Right after a start VS Code does not
 * know all commands and files yet, and closes the list when it moves the focus into an editor: then the list is opened
 * again.
 */
export async function showQuickRow(page: Page, key: string, text: string, label: string): Promise<void> {
  await withQuickRow(page, key, text, label, () => Promise.resolve(true));
}

/** Opens the quick input with a key, types, and clicks the row with `label` once the list is stable. */
export async function clickQuickRow(page: Page, key: string, text: string, label: string): Promise<void> {
  await withQuickRow(page, key, text, label, async row => {
    if (!(await clickAtOnce(row, stepMs)) || !(await isTaken(page, text))) return false;
    await leave(page);
    return true;
  });
}

/** Opens the quick input with a key, types, and presses Enter when the row with `label` is the focused one. */
export async function enterQuickRow(page: Page, key: string, text: string, label: string): Promise<void> {
  await withQuickRow(page, key, text, label, async row => {
    const isFocused = await row.evaluate(
      element =>
        element.classList.contains('focused') && Boolean(document.activeElement?.closest('.quick-input-widget')),
    );
    if (!isFocused) return false;
    await page.keyboard.press('Enter');
    return isTaken(page, text);
  });
}

/**
 * Waits until the list has gone, or another one has replaced it: until then, keys go to the list. Returns false if the
 * list is still open: VS Code did not receive the choice.
 */
async function isTaken(page: Page, text: string): Promise<boolean> {
  const hasGone = ([inputSelector, typed]: readonly [string, string]) => {
    const input = document.querySelector<HTMLInputElement>(inputSelector);
    return !input?.checkVisibility() || input.value !== typed;
  };
  const listed = [quickInput, text] as const;
  return page.waitForFunction(hasGone, listed, {timeout: takenWithinMs}).then(
    () => true,
    // A page that stood still for so long may have closed it meanwhile.
    () => page.evaluate(hasGone, listed),
  );
}

async function withQuickRow(
  page: Page,
  key: string,
  text: string,
  label: string,
  act: (row: Locator) => Promise<boolean>,
): Promise<void> {
  const row = page.locator(quickRow, {hasText: label}).first();
  const isDone = async () => {
    await webviewsLoaded(page, stepMs);
    await closeQuickInput(page);
    await page.keyboard.press(key);
    await page.locator(quickInput).first().fill(text, {timeout: stepMs});
    await listRests(page, stepMs);
    return (await row.isVisible()) && act(row);
  };
  // A step times out where the list was closed under it.
  await vi.waitUntil(() => isDone().catch(falseOnTimeout), {timeout: readyWithinMs, interval: 50});
}

/** Saves under the name that a dialog proposes: it takes a name once it has read the folder, and shows its proposal. */
export async function acceptProposedName(page: Page, name: string): Promise<void> {
  const input = page.locator(quickInput).first();
  await expect.poll(() => input.inputValue()).toContain(name);
  await input.press('Enter');
}

/**
 * Closes the open list. A list that lost the focus to a webview does not receive Escape, so it gets the focus back
 * first.
 */
async function closeQuickInput(page: Page): Promise<void> {
  const widget = page.locator('.quick-input-widget');
  if (await widget.isVisible()) await page.locator(quickInput).first().focus({timeout: stepMs});
  await page.keyboard.press('Escape');
  await widget.waitFor({state: 'hidden', timeout: stepMs});
}

/** Waits until the list's rows stay the same for some frames, and its search has ended. */
async function listRests(page: Page, timeout = readyWithinMs): Promise<void> {
  await page.waitForFunction(
    ([rowSelector, restFrames]) =>
      new Promise<boolean>(resolve => {
        const frame = () => new Promise(next => requestAnimationFrame(next));
        const seen = () => {
          const isBusy = document.querySelector('.quick-input-widget .monaco-progress-container.active') !== null;
          const rows = [...document.querySelectorAll(rowSelector)];
          const texts = rows.map(row => `${String(row.getBoundingClientRect().top)} ${row.textContent}`);
          return isBusy || rows.length === 0 ? null : texts.join('\n');
        };
        const watch = async () => {
          const first = seen();
          for (let count = 0; count < restFrames; count++) {
            await frame();
            if (first === null || seen() !== first) return false;
          }
          return true;
        };
        void watch().then(resolve);
      }),
    [quickRow, 4] as const,
    {timeout},
  );
}

/** Clicks the row with this text in the list that a command has just opened. */
export async function clickRow(page: Page, text: string, {exact = false} = {}): Promise<void> {
  const rows = page.locator(quickRow);
  const row = (exact ? rows.getByText(text, {exact}) : rows.filter({hasText: text})).first();
  await row.waitFor();
  const isClicked = async () => {
    await listRests(page);
    if (await clickAtOnce(row)) return true;
    if (!(await row.isVisible())) throw new Error(`The list with “${text}” closed before the click.`);
    // A list of GPU Lens stays, and takes the focus back (src/host/base/ask.ts).
    return false;
  };
  await vi.waitUntil(isClicked, {timeout: readyWithinMs, interval: 50});
  await leave(page);
}

/**
 * Clicks a row that the mouse can reach. If the list is redrawn between mouse down and mouse up, the browser fires no
 * click, so both are sent at the same moment. Mouse down also tells VS Code that Control is no longer held: the key may
 * have been released while a webview had the focus, and the row would open to the side.
 *
 * Returns false, without a click, if VS Code has redrawn the row since, or closes the list because the focus has gone: a
 * webview gets it once its page is loaded.
 */
async function clickAtOnce(row: Locator, timeout = readyWithinMs): Promise<boolean> {
  await row.click({timeout, trial: true});
  return row.evaluate(
    element => {
      if (!element.isConnected || !document.activeElement?.closest('.quick-input-widget')) return false;
      window.dispatchEvent(new MouseEvent('mousedown'));
      element.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true, composed: true}));
      return true;
    },
    undefined,
    {timeout},
  );
}

/**
 * Moves the mouse to an empty place of the status bar. In the list's place it would rest on a tab, whose hover appears
 * later and covers what a test clicks next.
 */
async function leave(page: Page): Promise<void> {
  const {width, height} = page.viewportSize() ?? {width: 0, height: 0};
  await page.mouse.move(width / 2, height - 2);
}
