import type {Locator, Page} from 'playwright-core';
import {profileItem} from '../../../scripts/lib/profile-item.mjs';

/**
 * Returns the status bar's item for the active profile, once that profile is open and the item has this text. While it
 * opens, VS Code's own item for progress has its name, too.
 */
export function openedProfile(page: Page, text: string | RegExp): Locator {
  return page.locator(profileItem, {hasText: text}).filter({hasText: ' · '});
}
