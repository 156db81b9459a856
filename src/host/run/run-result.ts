import * as vscode from 'vscode';
import {setTimeout as delay} from 'node:timers/promises';
import {EventFollower} from '../../launch/programs/event-follower.js';
import {isRunning} from '../../launch/programs/is-running.js';
import type {ProfileResult} from '../../launch/run/profile-result.js';
import {parseRunMessage, type RunMessage} from '../../launch/run/run-messages.js';

const pollMs = 100;

/** Callbacks for a run's messages. */
export interface RunListener {
  readonly onProgress: (text: string) => void;
  readonly onNoStep: (folder: string, seconds: number) => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Returns a process's final message; null if it ended without one. The process may outlive its terminal, because its
 * program is given time to write the recording.
 */
export async function resultOf(
  file: string,
  pid: number,
  {onProgress, onNoStep, onFailure}: RunListener,
): Promise<ProfileResult | null> {
  const results: ProfileResult[] = [];
  const take = (message: RunMessage) => {
    if (message.message === 'progress') onProgress(message.text);
    else if (message.message === 'no-step') onNoStep(message.folder, message.seconds);
    else if (message.message === 'ended') results.push(message.result);
  };
  const follower = new EventFollower(file, parseRunMessage, take, onFailure);
  follower.start();
  try {
    // Reads once more after the process was seen to have ended.
    for (let isAlive = true; isAlive && results.length === 0;) {
      isAlive = isRunning(pid);
      await delay(pollMs);
      await follower.poll();
    }
  } finally {
    await follower.stop();
  }
  return results[0] ?? null;
}

/** Returns the result of a process that reported none because it was killed. */
export function endedMute(name: string, isCancelled: boolean): ProfileResult {
  const sentence = isCancelled
    ? vscode.l10n.t('Profiling {0} was cancelled; nothing had been recorded.', name)
    : vscode.l10n.t('Profiling {0} was ended from outside: its terminal has what was written before.', name);
  return {profiles: [], status: null, isCancelled, sentences: [sentence], notes: [], tail: []};
}
