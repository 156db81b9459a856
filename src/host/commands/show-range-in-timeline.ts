import * as vscode from 'vscode';
import type {NamePattern} from '../../core/names/name-pattern.js';
import type {EngineClient} from '../../engine/client.js';
import {showFailure, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import type {TimelineView} from '../views/timeline-view.js';

/** Shows the first range of a line in the timeline, with a margin around it and its GPU work visible. */
export function showRangeInTimelineCommand(
  store: ProfileStore,
  engine: EngineClient,
  timeline: TimelineView,
  log: Log,
): (patterns: readonly NamePattern[]) => Promise<void> {
  return async patterns => {
    const profile = store.activeOpen;
    if (!profile) return;
    try {
      const place = await engine.ask('range/places', {profile: profile.state.summary.id, patterns});
      if (!place) {
        await showInformation(vscode.l10n.t('This range is not in the active profile.'));
        return;
      }
      const {slice, startNs, gpuEndNs, names} = place;
      const marginNs = Math.max(1000, (gpuEndNs - startNs) * 0.1);
      await timeline.reveal({slice, names, fromNs: startNs - marginNs, toNs: gpuEndNs + marginNs});
    } catch (error) {
      await showFailure(log, error);
    }
  };
}
