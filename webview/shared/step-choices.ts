import {formatCount} from '../../src/core/format/count.js';
import {t} from './translate.js';
import type {Choice} from './ui.js';

/** A list of more takes a good part of a second to open. */
const mostListed = 1000;

/**
 * The steps as a list offers them: the first thousand and the chosen one, and a line that says so where there are more.
 *
 * @param count how many there are, of which `numbers` may be the first
 */
export function stepChoices(numbers: readonly number[], chosen?: number, count = numbers.length): Choice[] {
  const listed = numbers.slice(0, mostListed);
  const isBeyond = chosen !== undefined && !listed.includes(chosen);
  const choices = [...listed, ...(isBeyond ? [chosen] : [])].map(number => ({
    value: String(number),
    text: t('Step {0}', number),
  }));
  if (count <= listed.length) return choices;
  const text = t(
    'The first {0} of {1} steps: a time window reaches the others',
    formatCount(listed.length),
    formatCount(count),
  );
  return [...choices, {value: 'rest', text, isDisabled: true}];
}
