import type {Frame, Locator, Page} from 'playwright-core';
import {vi} from 'vitest';

/** Waits until what is on the screen stays the same from one picture to the next, and returns it, in base64. */
export async function pictureAtRest(shown: Locator | Page): Promise<string> {
  let last = '';
  const rests = async () => {
    const picture = (await shown.screenshot()).toString('base64');
    const isSame = picture === last;
    last = picture;
    return isSame;
  };
  await vi.waitUntil(rests, {timeout: 20_000, interval: 50});
  return last;
}

/** Waits until a view has drawn what has happened to it so far. */
export async function framesDrawn(view: Frame): Promise<void> {
  await view.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(resolve => requestAnimationFrame(resolve));
  });
}

/** Returns whether something comes into sight soon. */
export function isShown(awaited: Locator): Promise<boolean> {
  return awaited.waitFor({timeout: 2000}).then(
    () => true,
    () => false,
  );
}
