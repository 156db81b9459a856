import type {Page} from 'playwright-core';

/** Latencies of keys in an editor, ms, ascending. */
export type Latencies = readonly number[];

interface WatchedWindow extends Window {
  gpuLensLatencies?: number[];
}

/** Measures the active editor: from the browser's receipt of a key to the change of the lines. */
export async function watchTyping(page: Page): Promise<() => Promise<Latencies>> {
  await page.evaluate(() => {
    const latencies: number[] = [];
    (window as WatchedWindow).gpuLensLatencies = latencies;
    let pressedAtMs: number | null = null;
    addEventListener('keydown', event => (pressedAtMs = event.timeStamp), {capture: true});
    const lines = document.querySelector('.editor-instance .view-lines');
    if (!lines) throw new Error('There is no editor in sight.');
    new MutationObserver(() => {
      if (pressedAtMs !== null) latencies.push(performance.now() - pressedAtMs);
      pressedAtMs = null;
    }).observe(lines, {childList: true, subtree: true, characterData: true});
  });
  return async () => {
    const latencies = await page.evaluate(() => (window as WatchedWindow).gpuLensLatencies ?? []);
    return latencies.sort((a, b) => a - b);
  };
}

/** Returns the least value that a percentage of ascending ones do not exceed; NaN without any. */
export function percentile(ascending: Latencies, percent: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor((ascending.length * percent) / 100))] ?? NaN;
}
