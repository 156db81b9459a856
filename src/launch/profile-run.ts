import {profileWithNsys} from './nsys/profile-nsys.js';
import {profileWithPyTorch, type ProfileSurroundings} from './profile-pytorch.js';
import type {ProfileRequest} from './profile-request.js';
import type {ProfileResult} from './profile-result.js';
import {createRunFolder} from './run-folder.js';

/**
 * Runs and records a command in a folder of its own.
 *
 * Once the folder is there, `onFolder` is told of it; whatever happens then, what was recorded stays in it.
 *
 * @throws TraceError `launch/…` with one sentence, and the file system's error where no folder can be made
 */
export async function runProfile(
  request: ProfileRequest,
  surroundings: ProfileSurroundings,
  onFolder: (path: string) => void,
): Promise<ProfileResult> {
  const folder = await createRunFolder(request.output, request.name, new Date());
  onFolder(folder.path);
  switch (request.profiler) {
    case 'pytorch':
    case 'timer':
      return profileWithPyTorch(request, folder, surroundings);
    case 'nsys':
      return profileWithNsys(request, folder, surroundings);
  }
}
