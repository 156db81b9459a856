import * as vscode from 'vscode';
import {disclosureNote} from '../../launch/nsys/nsys-sentences.js';
import type {ProfileResult, RecordedSnapshot} from '../../launch/run/profile-result.js';
import {showWithLog, type Log} from '../base/log.js';
import {showError, showInformation} from '../base/messages.js';
import {openMemory} from '../memory/open-memory.js';
import {openWithProgress} from '../profiles/open-profile.js';
import type {PrivacyNote} from '../profiles/privacy-note.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import {TimelineView} from '../views/timeline-view.js';

export interface ResultServices {
  readonly store: ProfileStore;
  readonly privacy: PrivacyNote;
  readonly log: Log;
  /** Shows the summary of the opened profile, if the settings want it. */
  readonly showSummary: () => void;
}

/** Reports how a run ended, and opens its first recording. */
export async function showResult(
  name: string,
  result: ProfileResult,
  {store, privacy, log, showSummary}: ResultServices,
): Promise<void> {
  const {profiles, sentences, notes, tail, isCancelled, report} = result;
  for (const line of tail) log.info(`${name}: ${line}`);
  for (const note of notes) log.info(`${name}: ${note}`);
  // Shows one message, because only the newest of several would be read.
  const shown = notes.filter(note => note !== disclosureNote);
  if (shown.length > 0) void showInformation(`${name}: ${shown.join(' ')}`);
  if (shown.length < notes.length) await privacy.tell();
  for (const sentence of sentences) {
    log.warn(sentence);
    void (isCancelled ? showInformation(sentence) : showWithLog(log, sentence));
  }
  offerSnapshots(result);
  if (report !== undefined) {
    await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.file(report));
  }
  const [profile, ...others] = profiles;
  if (!profile) return;
  if (others.length > 0) log.info(`More profiles were written: ${others.map(({path}) => path).join(', ')}`);
  const entry = await openWithProgress(store, log, profile.path);
  if (!entry) return;
  await TimelineView.show();
  showSummary();
}

/** Offers to show the first memory snapshot, if there is one. */
function offerSnapshots({snapshots = []}: ProfileResult): void {
  for (const snapshot of snapshots.slice(0, 1)) void offerSnapshot(snapshot);
}

/** Offers to show a memory snapshot; after an out-of-memory error, the lines that held the memory. */
async function offerSnapshot({path, rank, isOutOfMemory}: RecordedSnapshot): Promise<void> {
  const show = vscode.l10n.t('Show Memory Snapshot');
  const gpu = rank === null ? vscode.l10n.t('The GPU') : vscode.l10n.t('The GPU of rank {0}', rank);
  const answer = await (isOutOfMemory
    ? showError(vscode.l10n.t('{0} ran out of memory. The snapshot shows the lines that held it.', gpu), show)
    : showInformation(vscode.l10n.t('A memory snapshot was recorded.'), show));
  if (answer === show) await openMemory(vscode.Uri.file(path));
}
