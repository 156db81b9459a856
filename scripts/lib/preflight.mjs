// Checks the machine's requirements before anything is downloaded.
import {existsSync, mkdtempSync, readFileSync, rmdirSync} from 'node:fs';
import {homedir, tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {out, root, run} from './run.mjs';
import {SetupError} from './setup-error.mjs';

/**
 * Waits for the checks: each resolves with one sentence that contains the remedy, or null if nothing is missing.
 *
 * @throws SetupError with all sentences, one per line
 */
export async function preflight(...checks) {
  const sentences = await Promise.all(checks);
  const missing = sentences.flat().filter(sentence => sentence !== null);
  if (missing.length > 0) throw new SetupError(missing.join('\n'));
}

/** Checks the folders that every script writes into. */
export function whyNoFolders(env = process.env, platform = process.platform) {
  const onWindows = platform === 'win32';
  const cache =
    env.npm_config_cache ?? (onWindows ? join(env.LOCALAPPDATA ?? homedir(), 'npm-cache') : join(homedir(), '.npm'));
  const yours = folder =>
    onWindows ? 'give yourself the right to write there' : `make it yours with "sudo chown -R $USER '${folder}'"`;
  const variable = name => `set ${name} to a folder that you can write`;
  const own = `${yours(root)}, or clone it into a folder of yours`;
  return [
    whyNotWritable('The checkout', nearest(out), own),
    whyNotWritable('The checkout', nearest(join(root, 'node_modules')), own),
    whyNotWritable('Your home folder', homedir(), variable(onWindows ? 'USERPROFILE' : 'HOME')),
    whyNotWritable('The cache of npm', nearest(cache), yours(cache)),
    whyNotWritable('The folder of temporary files', tmpdir(), variable(onWindows ? 'TEMP' : 'TMPDIR')),
  ];
}

/**
 * Returns a sentence if VS Code's server cannot run: it has no version for Windows, and reads some characters of the
 * checkout's path as those of a URL. Else null.
 *
 * @param onWindows what to do there instead, as the end of the sentence
 */
export function whyNoServer(onWindows, folder = root, platform = process.platform) {
  if (platform === 'win32') return `VS Code in the browser does not run on Windows: ${onWindows}.`;
  const character = /[#?%]/.exec(folder)?.[0];
  if (character === undefined) return null;
  return `The path of the checkout, ${folder}, has a "${character}", with which VS Code in the browser does not start: move the checkout.`;
}

/** Returns a sentence if a folder cannot be written, else null. */
export function whyNotWritable(name, folder, remedy) {
  try {
    rmdirSync(mkdtempSync(join(folder, '.gpu-lens-')));
    return null;
  } catch (error) {
    const isFull = ['ENOSPC', 'EDQUOT'].includes(error.code);
    return `${name}, ${folder}, cannot be written (${error.code}): ${isFull ? 'free about 6 GB there' : remedy}.`;
  }
}

/** Returns the folder itself, or its nearest existing parent. */
function nearest(folder) {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

/**
 * Returns whether this terminal belongs to a remote VS Code window (Remote-SSH, a container, WSL, a browser). There,
 * `code` ignores `--profile` and would install an extension into the everyday profile.
 */
export function isRemoteTerminal(env = process.env) {
  return Boolean(env.VSCODE_IPC_HOOK_CLI || env.WSL_DISTRO_NAME);
}

/** Returns whether a program that this terminal starts can open a window where the user sees it. */
export function hasDesktop(env = process.env, platform = process.platform) {
  if (isRemoteTerminal(env)) return false;
  return platform === 'linux' ? Boolean(env.DISPLAY || env.WAYLAND_DISPLAY) : !env.SSH_CONNECTION;
}

/**
 * Returns the version of the desktop's VS Code, such as `1.101.0`; null if there is no desktop, or if `code` is not on
 * PATH or prints no version.
 */
export async function desktopVersion() {
  if (!hasDesktop()) return null;
  const {status, stdout} = await run('code', ['--version'], {quiet: true}).catch(() => ({status: 1, stdout: ''}));
  return status === 0 ? (/^\d+\.\d+\.\d+/m.exec(stdout)?.[0] ?? null) : null;
}

/** Returns a sentence if the desktop's VS Code is older than `engines` of package.json allows, else null. */
export function whyOldDesktop(version, required = requiredVscode(), platform = process.platform) {
  const [major, minor] = version.split('.').map(Number);
  const [requiredMajor, requiredMinor] = required.split('.').map(Number);
  if (major > requiredMajor || (major === requiredMajor && minor >= requiredMinor)) return null;
  const other = platform === 'win32' ? '' : ', or open GPU Lens in the browser with "npm start -- --browser"';
  return `GPU Lens needs VS Code ${required} or later, and "code" is ${version}: update it ("Code: Check for Updates…")${other}.`;
}

/** The oldest version of VS Code that `engines` of package.json allows. */
export function requiredVscode() {
  const {engines} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return engines.vscode.replace(/^\D+/, '');
}
