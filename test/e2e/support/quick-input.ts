import {errors, type Locator, type Page} from 'playwright-core';
import {vi} from 'vitest';

/** VS Code's list at the top of the window: the palette, Quick Open, and the choices that commands offer. */
export const quickInput = '.quick-input-widget input';
const quickRow = '.quick-input-list .monaco-list-row';

/** How long a window may take until it knows all commands and files, ms. */
const readyWithinMs = 60_000;

/** How long one step may take before the list is opened anew, ms. */
const stepMs = 3000;

/**
 * Opens the quick input with a key, types, and waits for the row with `label`. Right after a start VS Code knows neither
 * all commands nor all files, and closes the list when it moves the focus into an editor: then the list is opened anew.
 */
export async function showQuickRow(page: Page, key: string, text: string, label: string): Promise<void> {
  await withQuickRow(page, key, text, label, () => Promise.resolve());
}

/** Opens the quick input with a key, types, and clicks the row with `label` as soon as the list rests. */
export async function clickQuickRow(page: Page, key: string, text: string, label: string): Promise<void> {
  await withQuickRow(page, key, text, label, async row => {
    await clickAtOnce(row, stepMs);
    await isTaken(page, text);
    await leave(page);
  });
}

/** Waits until the list has gone, or another one stands in its place: until then keys are the list's. */
async function isTaken(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    ([inputSelector, typed]) => {
      const input = document.querySelector<HTMLInputElement>(inputSelector);
      return !input?.checkVisibility() || input.value !== typed;
    },
    [quickInput, text] as const,
  );
}

async function withQuickRow(
  page: Page,
  key: string,
  text: string,
  label: string,
  act: (row: Locator) => Promise<void>,
): Promise<void> {
  const row = page.locator(quickRow, {hasText: label}).first();
  const isDone = async () => {
    await closeQuickInput(page);
    await page.keyboard.press(key);
    await page.locator(quickInput).first().fill(text, {timeout: stepMs});
    await listRests(page, stepMs);
    if (!(await row.isVisible())) return false;
    await act(row);
    return true;
  };
  await vi.waitUntil(() => isDone().catch(isClosed), {timeout: readyWithinMs, interval: 50});
}

/** Closes what is open. A list that lost the focus to a webview does not hear Escape: it gets the focus back first. */
async function closeQuickInput(page: Page): Promise<void> {
  const widget = page.locator('.quick-input-widget');
  if (await widget.isVisible()) await page.locator(quickInput).first().focus({timeout: stepMs});
  await page.keyboard.press('Escape');
  await widget.waitFor({state: 'hidden', timeout: stepMs});
}

/** Returns false if a step timed out because the list was closed under it, and throws every other error. */
function isClosed(error: unknown): false {
  if (error instanceof errors.TimeoutError) return false;
  throw error;
}

/** Waits until the list has rows that stay the same for some frames, and nothing more is being looked for. */
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
  await listRests(page);
  await clickAtOnce(row);
  await leave(page);
}

/**
 * Clicks a row that the mouse can reach. Where the list is drawn anew between the mouse's button going down and up, the
 * browser tells nobody of a click, so it is told of one at a single moment. VS Code takes from the button going down that
 * Control is held no longer: the key may have been let go where a webview had the focus, and the row would open beside.
 */
async function clickAtOnce(row: Locator, timeout = readyWithinMs): Promise<void> {
  await row.click({timeout, trial: true});
  await row.evaluate(
    element => {
      window.dispatchEvent(new MouseEvent('mousedown'));
      element.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true, composed: true}));
    },
    undefined,
    {timeout},
  );
}

/**
 * Moves the mouse to an empty place of the status bar. Where the list was, it would rest on a tab, whose hover comes some
 * time later and lies on what a test clicks next.
 */
async function leave(page: Page): Promise<void> {
  const {width, height} = page.viewportSize() ?? {width: 0, height: 0};
  await page.mouse.move(width / 2, height - 2);
}
