import {profileWithNsys} from './nsys/profile-nsys.js';
import type {ProfileSurroundings} from './run/profile-surroundings.js';
import {profileWithPyTorch} from './profile-pytorch.js';
import type {ProfileRequest} from './command/profile-request.js';
import type {ProfileResult} from './run/profile-result.js';
import {createRunFolder, freeReserve, type RunFolder} from './run/run-folder.js';

/**
 * Runs and records a command in a folder of its own.
 *
 * Once the folder is there, `onFolder` is told of it; whatever happens then, what was recorded stays in it.
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
  try {
    return await profileIn(folder, request, surroundings);
  } finally {
    await freeReserve(folder);
  }
}

function profileIn(
  folder: RunFolder,
  request: ProfileRequest,
  surroundings: ProfileSurroundings,
): Promise<ProfileResult> {
  switch (request.profiler) {
    case 'pytorch':
    case 'timer':
      return profileWithPyTorch(request, folder, surroundings);
    case 'nsys':
      return profileWithNsys(request, folder, surroundings);
  }
}
