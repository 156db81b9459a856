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

/**
 * Reads a job and shows it. Returns false if it was cancelled, failed, or a later request is shown; a failure is shown.
 */
export async function openJob({jobs, log, showView}: OpenJobServices, paths: readonly string[]): Promise<boolean> {
  try {
    if (!(await jobs.open(paths))) return false;
    showView();
    return true;
  } catch (error) {
    await showFailure(log, error);
    return false;
  }
}

/** Shows the job of a profile, and reads it if it is not the active one. Returns false as `openJob` does. */
export async function openJobOf(services: OpenJobServices, key: number): Promise<boolean> {
  const {store, jobs, showView} = services;
  const path = store.byKey(key)?.path;
  if (path === undefined) return false;
  if (jobs.rankOf(path) !== null) {
    showView();
    return true;
  }
  const paths = await ranksOf(services, key);
  return paths !== null && (await openJob(services, paths));
}

/**
 * "Show Ranks as One Job": shows the selection in the explorer, else the active job if it contains the active profile,
 * else the ranks of that profile's job, or what the user chooses.
 */
export function showJobCommand(services: OpenJobServices): (uri?: unknown, uris?: unknown) => Promise<void> {
  return async (uri, uris) => {
    const selected = selectedPaths(uri, uris);
    if (selected.length === 0 && showsActiveJob(services)) {
      services.showView();
      return;
    }
    const key = services.store.activeOpen?.key ?? -1;
    const paths = selected.length > 0 ? selected : ((await ranksOf(services, key)) ?? (await chooseRanks()));
    if (paths) await openJob(services, paths);
  };
}

/** Asks which files or folders form a job, and shows it. */
export async function chooseJob(services: OpenJobServices): Promise<void> {
  const paths = await chooseRanks();
  if (paths) await openJob(services, paths);
}

function showsActiveJob({store, jobs}: OpenJobServices): boolean {
  const path = store.activeOpen?.path;
  return jobs.active !== null && (path === undefined || jobs.rankOf(path) !== null);
}

/** Returns the arguments of an explorer command: the selected files, else the one under the mouse. */
export function selectedPaths(uri: unknown, uris: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(uris) && uris.length > 0 ? uris : [uri];
  return all.flatMap(one => (one instanceof vscode.Uri ? [one.fsPath] : []));
}

/** Returns the files of a profile's job by rank; null if only one is found. */
async function ranksOf({store, jobs}: OpenJobServices, key: number): Promise<string[] | null> {
  const profile = store.byKey(key);
  if (!profile) return null;
  const {files} = await jobRanks(store, jobs, profile.key);
  const paths = files.flatMap(({path}) => (path === null ? [] : [path]));
  return paths.length < 2 && profile.state.summary.processes.length < 2 ? null : paths;
}

async function chooseRanks(): Promise<string[] | null> {
  const [files, folder] = [vscode.l10n.t('Choose Files…'), vscode.l10n.t('Choose Folder…')];
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
