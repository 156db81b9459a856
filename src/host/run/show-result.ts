import * as vscode from 'vscode';
import type {ProfileResult} from '../../launch/profile-result.js';
import {showWithLog, type Log} from '../log.js';
import {showInformation} from '../messages.js';
import {openWithProgress} from '../profiles/open-profile.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import {TimelineView} from '../views/timeline-view.js';

/** How long the status bar shows what is good to know. */
const noteMs = 15_000;

/** Tells how a run ended, and opens the first of what it recorded. */
export async function showResult(name: string, result: ProfileResult, store: ProfileStore, log: Log): Promise<void> {
  const {profiles, sentences, notes, tail, isCancelled, report} = result;
  for (const line of tail) log.info(`${name}: ${line}`);
  for (const note of notes) {
    log.info(`${name}: ${note}`);
    vscode.window.setStatusBarMessage(note, noteMs);
  }
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
  if (entry) await TimelineView.show();
}
