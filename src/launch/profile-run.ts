import {hostname} from 'node:os';
import {basename, dirname} from 'node:path';
import {profileWithNsys} from './nsys/profile-nsys.js';
import type {ProfileSurroundings} from './run/profile-surroundings.js';
import {profileWithPyTorch} from './profile-pytorch.js';
import type {ProfileRequest} from './command/profile-request.js';
import type {ProfileResult} from './run/profile-result.js';
import {codeState} from './history/code-state.js';
import {writeRunFile, type RunFile} from './history/run-file.js';
import {changeRunMark} from './history/run-mark.js';
import {createRunFolder, freeReserve, type RunFolder} from './run/run-folder.js';

/**
 * Runs and records a command in a folder of its own.
 *
 * Calls `onFolder` once the folder exists; whatever happens later, the recording stays in it.
 *
 * @throws TraceError `launch/…` and `file/unwritable`, with one sentence
 */
export async function runProfile(
  request: ProfileRequest,
  surroundings: ProfileSurroundings,
  onFolder: (path: string) => void,
): Promise<ProfileResult> {
  const folder = await createRunFolder(request.output, request.name, new Date());
  onFolder(folder.path);
  const run = await beginRunFile(folder, request);
  try {
    const result = await profileIn(folder, request, surroundings);
    await endRunFile(folder, run, result);
    return result;
  } finally {
    await freeReserve(folder);
  }
}

/**
 * Writes the run's record first, so that the history shows a run that is killed. If there is no room, profiles are
 * still kept.
 */
async function beginRunFile(folder: RunFolder, request: ProfileRequest): Promise<RunFile> {
  const {name, command, cwd, batch = null, label, profiler, recording} = request;
  const run: RunFile = {
    ...{name, command, cwd, batch, began: new Date().toISOString()},
    recorded: `${profiler} ${recording.step ?? 'auto'}`,
    ...(await codeState(cwd)),
    process: {host: hostname(), pid: process.pid},
    ...{ended: null, status: null, profiles: []},
  };
  await writeRunFile(folder.path, run).catch(() => undefined);
  if (label !== undefined) labelRun(folder.path, label);
  return run;
}

function labelRun(folder: string, label: string): void {
  try {
    changeRunMark(folder, {label});
  } catch {
    // As of the record, there may be no room.
  }
}

async function endRunFile(folder: RunFolder, run: RunFile, {status, profiles}: ProfileResult): Promise<void> {
  const inFolder = profiles
    .filter(({path}) => dirname(path) === folder.path)
    .map(({path, kind, steps, rank}) => ({file: basename(path), kind, steps, rank}));
  const ended = {...run, ended: new Date().toISOString(), status, profiles: inFolder};
  await writeRunFile(folder.path, ended).catch(() => undefined);
}

function profileIn(
  folder: RunFolder,
  request: ProfileRequest,
  surroundings: ProfileSurroundings,
): Promise<ProfileResult> {
  switch (request.profiler) {
    case 'pytorch':
    case 'timer':
    case 'loops':
      return profileWithPyTorch(request, folder, surroundings);
    case 'nsys':
      return profileWithNsys(request, folder, surroundings);
  }
}
