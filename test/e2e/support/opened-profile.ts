import type {Locator, Page} from 'playwright-core';
import {profileItem} from '../../../scripts/lib/profile-item.mjs';

/**
 * Returns the status bar's item for the active profile, once that profile is open and the item has this text. While it
 * opens, VS Code's own item for progress has its name, too.
 */
export function openedProfile(page: Page, text: string | RegExp): Locator {
  return activeProfile(page, text).filter({hasText: ' · '});
}

/** Returns that item whether the profile is open, or opens. */
export function activeProfile(page: Page, text: string | RegExp): Locator {
  return page.locator(profileItem, {hasText: text});
}
