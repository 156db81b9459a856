import {readdir, readFile, rm, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {claimLock} from './claim-run.js';
import type {ProfileResult} from './profile-result.js';
import {messagesEnd, parseRunMessage} from './run-messages.js';
import {runsProfile} from './runs-profile.js';

/** A run that an editor started without seeing its end. */
export interface StartedRun {
  /** The process of `gpu-lens profile`. */
  readonly pid: number;
  /** The file of its messages. */
  readonly file: string;
  readonly name: string;
  /** The run's folder. */
  readonly folder: string;
  readonly isRunning: boolean;
  /** Null if it still runs, or was killed. */
  readonly result: ProfileResult | null;
}

/** Messages that no editor reads for this long are removed. */
const longestKeptMs = 30 * 24 * 3600 * 1000;
const longestBytes = 64 << 20;

/** Returns the runs whose messages are in a folder. Messages that are too old are removed. */
export async function startedRuns(messages: string): Promise<StartedRun[]> {
  const names = await readdir(messages).catch((): string[] => []);
  const files = names.filter(name => name.endsWith(messagesEnd));
  const found = await Promise.all(files.map(name => startedRun(join(messages, name), parseInt(name, 10))));
  return found.filter(run => run !== null);
}

async function startedRun(file: string, pid: number): Promise<StartedRun | null> {
  const stats = await stat(file).catch(() => null);
  if (!stats?.isFile()) return null;
  const isRunning = await runsProfile(pid);
  const run = stats.size <= longestBytes ? readRun(await readFile(file, 'utf8')) : null;
  const isOld = Date.now() - stats.mtimeMs > longestKeptMs;
  if (!isRunning && (run === null || isOld)) {
    for (const path of [file, claimLock(file)]) await rm(path, {force: true});
  }
  return run && !(isOld && !isRunning) ? {pid, file, ...run, isRunning: isRunning && run.result === null} : null;
}

function readRun(text: string): Pick<StartedRun, 'name' | 'folder' | 'result'> | null {
  const messages = text.split('\n').map(parseRunMessage);
  const began = messages.find(message => message?.message === 'began');
  const ended = messages.findLast(message => message?.message === 'ended');
  return began ? {name: began.name, folder: began.folder, result: ended?.result ?? null} : null;
}
