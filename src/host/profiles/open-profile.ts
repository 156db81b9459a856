import * as vscode from 'vscode';
import type {TraceErrorCode} from '../../core/base/errors.js';
import {readText} from '../../core/format/count.js';
import {showWithLog, type Log} from '../base/log.js';
import {plainText} from '../base/messages.js';
import type {ProfileEntry, ProfileStore} from './profile-store.js';

/** Shorter openings show no progress, which would only flash. */
const progressAfterMs = 400;

const toldElsewhere: ReadonlySet<TraceErrorCode> = new Set(['import/cancelled', 'rpc/closed']);

/**
 * Opens a file. Shows progress with a cancel button if it takes a while, and shows a failure. Null if it did not open.
 *
 * @param place as `ProfileStore.openFile` takes it
 */
export async function openWithProgress(
  store: ProfileStore,
  log: Log,
  path: string,
  place: 'any' | 'free' = 'any',
): Promise<ProfileEntry | null> {
  const opening = store.openFile(path, place);
  if (!(await endsWithin(opening, progressAfterMs))) await showProgress(store, path, opening);
  const entry = await opening;
  if (entry.state.kind === 'open') return entry;
  // The store has logged it; the engine's death is reported elsewhere.
  if (entry.state.kind === 'failed' && !toldElsewhere.has(entry.state.code)) {
    void showWithLog(log, entry.state.message);
  }
  return null;
}

async function showProgress(store: ProfileStore, path: string, opening: Promise<ProfileEntry>): Promise<void> {
  const name = store.entry(path)?.name ?? '';
  await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      cancellable: true,
      title: plainText(vscode.l10n.t('Opening {0}', name)),
    },
    async (progress, token) => {
      token.onCancellationRequested(() => {
        store.cancelOpening(path);
      });
      let shownPercent = 0;
      const listener = store.onDidChange(() => {
        const state = store.entry(path)?.state;
        if (state?.kind !== 'opening') return;
        const percent = Math.floor(100 * state.fraction);
        const message = state.step === 'export' ? vscode.l10n.t('exporting with nsys') : readText(state.events);
        // Progress starts over when reading follows an export.
        progress.report({increment: Math.max(0, percent - shownPercent), message});
        shownPercent = Math.max(shownPercent, percent);
      });
      try {
        await opening;
      } finally {
        listener.dispose();
      }
    },
  );
}

function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const timeout = new Promise<boolean>(resolve => setTimeout(resolve, ms, false));
  return Promise.race([work.then(() => true), timeout]);
}
