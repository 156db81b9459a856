import * as vscode from 'vscode';
import {alignedSteps} from '../../core/layout/linked-view.js';
import {showFailure, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';
import {hasTimeline} from '../profiles/has-timeline.js';
import {linkTimelines, type LinkedSide} from '../views/timeline-links.js';
import type {TraceEditor} from '../views/trace-editor.js';
import type {ComparedSide, ProfileComparisons} from './profile-comparisons.js';

/** "Show Both Timelines": shows the timelines of the current comparison, linked, the base above the changed run. */
export function showBothTimelinesCommand(
  comparisons: Pick<ProfileComparisons, 'shownSides'>,
  editors: Pick<TraceEditor, 'openBeside'>,
  log: Log,
): () => Promise<void> {
  return async () => {
    const {shownSides} = comparisons;
    if (!shownSides) {
      await showInformation(
        vscode.l10n.t('No two runs are compared. Compare the active profile with another one first.'),
      );
      return;
    }
    if (!shownSides.every(({profile}) => hasTimeline(profile))) {
      await showInformation(vscode.l10n.t('Printed tables have no timeline. Compare two profiles instead.'));
      return;
    }
    const [base, changed] = shownSides;
    try {
      const above = await editors.openBeside(base.profile.path, 'here');
      const below = await editors.openBeside(changed.profile.path, 'below');
      linkTimelines(sideOf(base, above), sideOf(changed, below));
    } catch (error) {
      await showFailure(log, error);
    }
  };
}

function sideOf({profile, part, name}: ComparedSide, view: LinkedSide['view']): LinkedSide {
  const {steps, info} = profile.state.summary;
  return {name, aligned: alignedSteps(steps, part?.selection ?? {}, info.spanNs), view};
}
