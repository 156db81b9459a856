import * as vscode from 'vscode';
import {showFailure, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import type {JobStore} from '../profiles/job-store.js';
import {jobRanks} from '../profiles/job-ranks.js';

export interface OpenJobServices {
  readonly jobs: JobStore;
  readonly store: ProfileStore;
  readonly log: Log;
  readonly showView: () => void;
}

/** Reads a job and shows it; a failure is shown. */
export async function openJob({jobs, log, showView}: OpenJobServices, paths: readonly string[]): Promise<void> {
  try {
    if (await jobs.open(paths)) showView();
  } catch (error) {
    await showFailure(log, error);
  }
}

/**
 * "Show Ranks as One Job": what is selected in the explorer; else the active job if the active profile is of it; else the
 * ranks of that profile's job, or what the user chooses.
 */
export function showJobCommand(services: OpenJobServices): (uri?: unknown, uris?: unknown) => Promise<void> {
  return async (uri, uris) => {
    const selected = selectedPaths(uri, uris);
    if (selected.length === 0 && showsActiveJob(services)) {
      services.showView();
      return;
    }
    const paths = selected.length > 0 ? selected : ((await ranksOfActive(services)) ?? (await chooseRanks()));
    if (paths) await openJob(services, paths);
  };
}

/** Asks which files or folders are a job, and shows it. */
export async function chooseJob(services: OpenJobServices): Promise<void> {
  const paths = await chooseRanks();
  if (paths) await openJob(services, paths);
}

function showsActiveJob({store, jobs}: OpenJobServices): boolean {
  const path = store.activeOpen?.path;
  return jobs.active !== null && (path === undefined || jobs.rankOf(path) !== null);
}

/** What a command of the explorer is called with: the file under the mouse, and all that are selected. */
export function selectedPaths(uri: unknown, uris: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(uris) && uris.length > 0 ? uris : [uri];
  return all.flatMap(one => (one instanceof vscode.Uri ? [one.fsPath] : []));
}

/** Files of the active profile's job by rank; null if only one is at hand. */
async function ranksOfActive({store, jobs}: OpenJobServices): Promise<string[] | null> {
  const profile = store.activeOpen;
  if (!profile) return null;
  const {files} = await jobRanks(store, jobs, profile.key);
  const paths = files.flatMap(({path}) => (path === null ? [] : [path]));
  return paths.length < 2 && profile.state.summary.processes.length < 2 ? null : paths;
}

async function chooseRanks(): Promise<string[] | null> {
  const [files, folder] = ['Choose Files…', 'Choose Folder…'] as const;
  const answer = await showInformation(
    vscode.l10n.t('Choose the profiles of the ranks: several files, a zip, or the folder that they are in.'),
    files,
    folder,
  );
  if (answer === undefined) return null;
  const uris = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Choose the Profiles of All Ranks'),
    openLabel: vscode.l10n.t('Show as One Job'),
    canSelectMany: true,
    canSelectFiles: answer === files,
    canSelectFolders: answer === folder,
  });
  return uris?.map(({fsPath}) => fsPath) ?? null;
}
