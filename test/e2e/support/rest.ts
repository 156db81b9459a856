import type {Frame, Locator, Page} from 'playwright-core';
import {vi} from 'vitest';
import {patience} from '../../support/patience.js';

/**
 * Returns a picture for comparisons, in base64. At this quality JPEG shows every change of a few levels of grey, and
 * takes a fraction of PNG's time.
 */
export async function pictureOf(shown: Locator | Page): Promise<string> {
  return (await shown.screenshot({type: 'jpeg', quality: 95})).toString('base64');
}

/** Waits until the screen stays the same from one picture to the next, and returns it as `pictureOf` does. */
export async function pictureAtRest(shown: Locator | Page): Promise<string> {
  let last = '';
  const rests = async () => {
    const picture = await pictureOf(shown);
    const isSame = picture === last;
    last = picture;
    return isSame;
  };
  await vi.waitUntil(rests, patience);
  return last;
}

/** Waits until the timeline has read a file: its title is there before that, the button to search only then. */
export async function waitUntilRead(timeline: Frame, file: string): Promise<void> {
  await timeline.locator('.title', {hasText: file}).waitFor();
  await timeline.getByTitle('Search (/)').waitFor();
}

/** Waits until a view has drawn everything so far. */
export async function framesDrawn(view: Frame): Promise<void> {
  await view.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(resolve => requestAnimationFrame(resolve));
  });
}
