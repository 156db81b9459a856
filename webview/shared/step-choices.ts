import {formatCount} from '../../src/core/format/count.js';
import {t} from './translate.js';
import type {Choice} from './ui.js';

/** Opening a longer list takes a considerable part of a second. */
const mostListed = 1000;

/**
 * Returns the choices of steps: the first thousand and the chosen one, and a line that says if there are more.
 *
 * @param count the number of steps, of which `numbers` may be only the first
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
