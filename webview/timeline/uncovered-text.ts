import type {Hiding} from '../../src/core/layout/row-showing.js';
import {t} from '../shared/translate.js';

const texts: Readonly<Record<Hiding, string>> = {
  filter: t('filter cleared'),
  group: t('group opened'),
  row: t('row opened'),
};

/** Returns what was done to show a slice, by what hid it; '' if nothing did. */
export function uncoveredText(hidBy: readonly Hiding[]): string {
  return hidBy.map(hiding => texts[hiding]).join(' · ');
}
