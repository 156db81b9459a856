import * as vscode from 'vscode';
import {TraceError} from '../../core/base/errors.js';
import type {EngineClient} from '../../engine/client.js';
import type {JobHostRequests} from '../../protocol/job-messages.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import {TimelineView} from '../views/timeline-view.js';
import type {JobStore} from '../profiles/job-store.js';

export interface ShowRankServices {
  readonly jobs: JobStore;
  readonly store: ProfileStore;
  readonly engine: EngineClient;
  readonly timeline: Pick<TimelineView, 'reveal'>;
  /** See `ViewServices.openProfile`. */
  readonly openProfile: (path: string) => Promise<boolean>;
}

/**
 * Opens the profile of a rank of the active job, reading it if needed, and shows a window of its time, or a range.
 *
 * @throws TraceError `profile/not-open` if the active job has no such rank
 */
export function rankShower(
  services: ShowRankServices,
): (place: JobHostRequests['job/timeline']['params']) => Promise<void> {
  const {jobs, store, engine, timeline, openProfile} = services;
  return async ({rank, window, range}) => {
    const path = await jobs.fileOf(rank);
    if (path === null)
      throw new TraceError('profile/not-open', vscode.l10n.t('The job has no profile of rank {0}.', String(rank)));
    if (!(await openProfile(path))) return;
    const profile = store.activeOpen;
    if (profile?.path !== path) return;
    await TimelineView.show();
    if (window) {
      const marginNs = (window.toNs - window.fromNs) / 20;
      await timeline.reveal({
        ...{slice: -1, names: []},
        ...{fromNs: window.fromNs - marginNs, toNs: window.toNs + marginNs},
      });
    }
    const id = profile.state.summary.id;
    const found = range === null ? null : await engine.ask('range/places', {profile: id, patterns: [[range]]});
    if (found) {
      const {slice, startNs, gpuEndNs, names} = found;
      const marginNs = Math.max(1000, (gpuEndNs - startNs) / 10);
      await timeline.reveal({slice, names, fromNs: startNs - marginNs, toNs: gpuEndNs + marginNs});
    }
  };
}
