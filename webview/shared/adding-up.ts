import {element} from './dom.js';
import {t} from './translate.js';
import {progressRing} from './ui.js';

/**
 * Returns what a view shows of a profile until its figures have arrived. It replaces the figures of the profile before,
 * which would be read as those of this one.
 */
export function addingUp(name: string): HTMLElement[] {
  return [progressRing(), element('p', {text: t('Adding up {0}…', name)})];
}
