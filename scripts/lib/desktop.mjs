// The desktop's VS Code, with GPU Lens in a profile of its own.
import {join} from 'node:path';
import {run} from './run.mjs';
import {SetupError} from './setup-error.mjs';

/** The VS Code profile with GPU Lens, so that the user's own profiles stay unchanged. */
export const profileName = 'GPU Lens';

const limitMs = 60_000;
const pauseMs = 500;

/**
 * Opens a folder in the desktop's VS Code, with the extension installed in its own profile.
 *
 * `code --install-extension` refuses a profile that does not exist yet, and only opening a window creates one. So the
 * first time the window opens first, and the extension appears in it later.
 *
 * @throws SetupError with VS Code's message
 */
export async function openDesktop(vsix, folder) {
  const profile = ['--profile', profileName];
  const install = () => run('code', ['--install-extension', vsix, '--force', ...profile], {quiet: true});
  const open = () => run('code', [folder, '--goto', join(folder, 'train.py'), ...profile], {quiet: true});
  let installed = await install();
  const isNew = isUnknownProfile(installed);
  if (isNew || installed.status === 0) {
    const opened = await open();
    if (opened.status !== 0) throw new SetupError(`VS Code could not open ${folder}:\n${opened.output.trimEnd()}`);
  }
  const start = Date.now();
  while (isUnknownProfile(installed) && Date.now() - start < limitMs) {
    // VS Code does not report that it has created the profile.
    await new Promise(resolve => setTimeout(resolve, pauseMs));
    installed = await install();
  }
  if (installed.status !== 0) throw new SetupError(`VS Code could not install ${vsix}:\n${installed.output.trimEnd()}`);
}

function isUnknownProfile({status, output}) {
  return status !== 0 && /Profile .* not found/.test(output);
}
