// What the machine must have, checked before anything is downloaded.
import {existsSync, mkdtempSync, readFileSync, rmdirSync} from 'node:fs';
import {homedir, tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {out, root, run} from './run.mjs';
import {SetupError} from './setup-error.mjs';

/**
 * Waits for the checks: each resolves with one sentence that has the remedy, or null where nothing is missing.
 *
 * @throws SetupError with all sentences, a line each
 */
export async function preflight(...checks) {
  const sentences = await Promise.all(checks);
  const missing = sentences.flat().filter(sentence => sentence !== null);
  if (missing.length > 0) throw new SetupError(missing.join('\n'));
}

/** The folders that every script writes into. */
export function whyNoFolders(env = process.env) {
  const own = `make the checkout yours with "sudo chown -R $USER '${root}'", or clone it into a folder of yours`;
  const cache = env.npm_config_cache ?? join(homedir(), '.npm');
  return [
    whyNotWritable('The checkout', nearest(out), own),
    whyNotWritable('The checkout', nearest(join(root, 'node_modules')), own),
    whyNotWritable(
      'Your home folder',
      homedir(),
      'set HOME to a folder of yours, as in "HOME=/path/to/folder npm start"',
    ),
    whyNotWritable('The cache of npm', nearest(cache), `make it yours with "sudo chown -R $USER '${cache}'"`),
    whyNotWritable(
      'The folder of temporary files',
      tmpdir(),
      'set TMPDIR to a folder that you can write, as in "TMPDIR=/tmp npm start"',
    ),
  ];
}

/** A sentence where nothing can be written into a folder, else null. */
export function whyNotWritable(name, folder, remedy) {
  try {
    rmdirSync(mkdtempSync(join(folder, '.gpu-lens-')));
    return null;
  } catch (error) {
    return `${name}, ${folder}, cannot be written (${error.code}): ${remedy}.`;
  }
}

/** The folder itself, or the first above it that exists. */
function nearest(folder) {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

/** The version of the desktop's VS Code, as `1.101.0`; null where `code` is not on PATH, or says nothing of the kind. */
export async function desktopVersion() {
  const {status, stdout} = await run('code', ['--version'], {quiet: true}).catch(() => ({status: 1, stdout: ''}));
  return status === 0 ? (/^\d+\.\d+\.\d+/m.exec(stdout)?.[0] ?? null) : null;
}

/** A sentence where the desktop's VS Code is older than `engines` of package.json allows, else null. */
export function whyOldDesktop(version, required = requiredVscode()) {
  const [major, minor] = version.split('.').map(Number);
  const [requiredMajor, requiredMinor] = required.split('.').map(Number);
  if (major > requiredMajor || (major === requiredMajor && minor >= requiredMinor)) return null;
  return `GPU Lens needs VS Code ${required} or later, and "code" is ${version}: update it ("Code: Check for Updates…"), or open GPU Lens in the browser with "npm start -- --browser".`;
}

function requiredVscode() {
  const {engines} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return engines.vscode.replace(/^\D+/, '');
}
