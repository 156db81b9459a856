import {button} from '../shared/ui.js';
import type {RowAction} from './row-actions.js';

const texts: Readonly<Record<RowAction, string>> = {
  kernels: 'Kernels of this range',
  durations: 'Durations',
  timeline: 'Timeline',
  flame: 'Flame graph',
  source: 'Source',
  unfold: 'Unfold',
};

/** A button for each thing that can be done with a row. */
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
