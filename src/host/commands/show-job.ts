import * as vscode from 'vscode';
import {plural} from '../../core/format/count.js';
import {jobPage} from '../../core/job/job-page.js';
import type {JobReport} from '../../core/job/job-report.js';
import type {EngineClient} from '../../engine/client.js';
import {showFailure, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';
import {jobRanks} from '../profiles/job-ranks.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import type {MarkdownPages} from '../views/markdown-pages.js';

export interface JobOptions {
  readonly store: ProfileStore;
  readonly engine: EngineClient;
  readonly pages: MarkdownPages;
  readonly log: Log;
}

/** "Show Ranks as One Job": the ranks of the active profile's job, or files that the user chooses, as a page of Markdown. */
export function showJobCommand({store, engine, pages, log}: JobOptions): () => Promise<void> {
  return async () => {
    const paths = (await ranksOfActive(store)) ?? (await chooseRanks());
    if (!paths) return;
    try {
      const report = await readJob(engine, paths);
      if (!report) return;
      const ranks = plural(report.ranks.length, 'rank');
      await pages.show(`${ranks} as one job`, jobPage(report), `Read ${ranks} as one job.`);
    } catch (error) {
      await showFailure(log, error);
    }
  };
}

/** Files of the active profile's job by rank; null if only one is at hand. */
async function ranksOfActive(store: ProfileStore): Promise<string[] | null> {
  const profile = store.activeOpen;
  if (!profile) return null;
  const {paths} = await jobRanks(store, profile.key);
  const sorted = [...paths].sort(([a], [b]) => a - b).map(([, path]) => path);
  return sorted.length < 2 && profile.state.summary.processes.length < 2 ? null : sorted;
}

async function chooseRanks(): Promise<string[] | null> {
  const choose = 'Choose Files…';
  const answer = await showInformation(
    'No other rank of a job is open or lies beside the active profile. Choose the profiles of the ranks.',
    choose,
  );
  if (answer !== choose) return null;
  const title = 'Choose the Profiles of All Ranks';
  const uris = await vscode.window.showOpenDialog({title, openLabel: 'Show as One Job', canSelectMany: true});
  return uris?.map(({fsPath}) => fsPath) ?? null;
}

/** Reads the ranks with a message that shows progress and can cancel; null where it was cancelled. */
async function readJob(engine: EngineClient, paths: readonly string[]): Promise<JobReport | null> {
  const title = `Reading ${plural(paths.length, 'profile')} as one job`;
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({location, cancellable: true, title}, async (progress, token) => {
    const cancel = new AbortController();
    token.onCancellationRequested(() => {
      cancel.abort();
    });
    const onProgress = ({read}: {read: number}) => {
      progress.report({message: `${String(read + 1)} of ${String(paths.length)}`, increment: 100 / paths.length});
    };
    try {
      return await engine.ask('job', {paths}, {signal: cancel.signal, onProgress});
    } catch (error) {
      if (cancel.signal.aborted) return null;
      throw error;
    }
  });
}
