import type * as vscode from 'vscode';
import type {JobSection} from '../../core/job/rank-choices.js';
import type {EngineClient} from '../../engine/client.js';
import type {JobHostRequests} from '../../protocol/job-messages.js';
import {commandIds} from '../base/command-ids.js';
import {showFailure, type Log} from '../base/log.js';
import {rowCommand, type RowCommand} from '../base/row-command.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import type {TimelineView} from '../views/timeline-view.js';
import {jobPanel, Panel} from '../views/view-panel.js';
import {JobConnection} from './job-connection.js';
import type {ActiveJob, JobStore} from '../profiles/job-store.js';
import {chooseRank} from './choose-rank.js';
import {chooseJob, openJob, openJobOf, showJobCommand} from './open-job.js';
import {rankShower} from './show-rank.js';

export interface JobServices {
  readonly jobs: JobStore;
  readonly store: ProfileStore;
  readonly engine: EngineClient;
  readonly timeline: TimelineView;
  readonly openProfile: (path: string) => Promise<boolean>;
  readonly log: Log;
}

/** Creates the job commands and panel, and the reader of files as one job. */
export function createJobServices(
  extensionUri: vscode.Uri,
  services: JobServices,
): {
  commands: Record<string, (...args: never[]) => unknown>;
  panel: Panel<JobConnection>;
  open: (paths: readonly string[]) => Promise<void>;
  /** Shows a section of a profile's job page, and reads the job first if it is not open. */
  showAll: (key: number, section: JobSection) => Promise<void>;
} {
  const {jobs, store, log} = services;
  const showView = () => {
    panel.show();
  };
  const opening = {jobs, store, log, showView};
  const showRank = rankShower(services);
  const panel = new Panel(
    jobPanel,
    extensionUri,
    webview => new JobConnection(webview, {jobs, store, log, openJob: () => chooseJob(opening), showRank}),
  );
  const showAll = async (key: number, section: JobSection) => {
    if (await openJobOf(opening, key)) await panel.connection?.showSection(section);
  };
  return {
    commands: {
      [commandIds.showJob]: showJobCommand(opening),
      [commandIds.showActiveJob]: showView,
      [commandIds.chooseRank]: chooseRank({...services, showAll}),
      [commandIds.showRank]: async (rank: JobHostRequests['job/timeline']['params']['rank']) => {
        try {
          await showRank({rank, window: null, range: null});
        } catch (error) {
          await showFailure(log, error);
        }
      },
      [commandIds.closeJob]: closeJobCommand(jobs),
    },
    panel,
    open: async paths => {
      await openJob(opening, paths);
    },
    showAll,
  };
}

/**
 * Closes the job of a row; the active one if it comes from a key. VS Code may still show the row of an earlier job for a
 * moment: such a row closes nothing.
 */
export function closeJobCommand(jobs: Pick<JobStore, 'active' | 'close'>): RowCommand<{readonly job: ActiveJob}> {
  return rowCommand(([row]) => {
    if (!row || row.job === jobs.active) jobs.close();
  });
}
