import {t} from './translate.js';

/**
 * Returns the attributes of a picture that takes keys and tells in a live region what they choose.
 *
 * Its role is that of a tree, described as a chart. Screen readers pass all keys to a tree, letters too. An
 * "application" would say the same, but Orca takes one for a document: it does not say its name when it receives the
 * focus, and keeps letters for itself.
 *
 * @param label what it shows, and its keys; empty if it is set later
 */
export function keyboardChart(label: string): Readonly<Record<string, string>> {
  const attributes = {tabindex: '0', role: 'tree', 'aria-roledescription': t('chart')};
  return label === '' ? attributes : {...attributes, 'aria-label': label};
}

/** Returns whether a key is pressed with Ctrl, Alt or Meta: charts leave such shortcuts to the editor. */
export function isShortcut({ctrlKey, altKey, metaKey}: KeyboardEvent): boolean {
  return ctrlKey || altKey || metaKey;
}
