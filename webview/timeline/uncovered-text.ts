import type {Hiding} from '../../src/core/layout/row-showing.js';

const texts: Readonly<Record<Hiding, string>> = {
  filter: 'filter cleared',
  group: 'group opened',
  row: 'row opened',
};

/** What was done to show a slice, by what hid it; '' where nothing did. */
export function uncoveredText(hidBy: readonly Hiding[]): string {
  return hidBy.map(hiding => texts[hiding]).join(' · ');
}
