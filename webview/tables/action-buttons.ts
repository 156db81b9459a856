import {t} from '../shared/translate.js';
import {button} from '../shared/ui.js';
import type {RowAction} from './row-actions.js';

const texts: Readonly<Record<RowAction, string>> = {
  kernels: t('Kernels of this range'),
  durations: t('Durations'),
  timeline: t('Timeline'),
  flame: t('Flame graph'),
  source: t('Source'),
  'what-if': t('What if…'),
  unfold: t('Unfold'),
};

/** Returns a button for each action on a row. */
export function actionButtons(actions: readonly RowAction[], run: (action: RowAction) => void): readonly HTMLElement[] {
  return actions.map(action =>
    button(
      texts[action],
      () => {
        run(action);
      },
      'icon',
    ),
  );
}
