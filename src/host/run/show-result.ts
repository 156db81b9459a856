import * as vscode from 'vscode';
import {disclosureNote} from '../../launch/nsys/nsys-sentences.js';
import type {ProfileResult} from '../../launch/run/profile-result.js';
import {showWithLog, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';
import {openWithProgress} from '../profiles/open-profile.js';
import type {PrivacyNote} from '../profiles/privacy-note.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import {TimelineView} from '../views/timeline-view.js';

export interface ResultServices {
  readonly store: ProfileStore;
  readonly privacy: PrivacyNote;
  readonly log: Log;
  /** Shows the summary of the profile that has been opened, where that is wanted. */
  readonly showSummary: () => void;
}

/** Tells how a run ended, and opens the first of what it recorded. */
export async function showResult(
  name: string,
  result: ProfileResult,
  {store, privacy, log, showSummary}: ResultServices,
): Promise<void> {
  const {profiles, sentences, notes, tail, isCancelled, report} = result;
  for (const line of tail) log.info(`${name}: ${line}`);
  for (const note of notes) log.info(`${name}: ${note}`);
  // One message: of several the newest alone would be read.
  const shown = notes.filter(note => note !== disclosureNote);
  if (shown.length > 0) void showInformation(`${name}: ${shown.join(' ')}`);
  if (shown.length < notes.length) await privacy.tell();
  for (const sentence of sentences) {
    log.warn(sentence);
    void (isCancelled ? showInformation(sentence) : showWithLog(log, sentence));
  }
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
