// pip in an environment of the runner's tests: what it installs, what its index has, and why it failed.
import {run, unset} from './run.mjs';
import {SetupError} from './setup-error.mjs';

/** What torch and IPython have packages for. */
export const pythonVersions = {oldest: [3, 11], newest: [3, 14]};
export const supportedPythons = `Python ${pythonVersions.oldest.join('.')} to ${pythonVersions.newest.join('.')}`;

/** The environment of such a Python: without variables of the user that would put packages elsewhere, or find others. */
export const ownPython = unset([
  'PYTHONHOME',
  'PYTHONPATH',
  'PIP_CONSTRAINT',
  'PIP_TARGET',
  'PIP_PREFIX',
  'PIP_ROOT',
  'PIP_USER',
  'PIP_NO_DEPS',
]);

/** pip's option for the index of torch; none if it is pip's configured one. */
export function torchIndex() {
  const index = process.env.GPU_LENS_TORCH_INDEX;
  return index ? ['--index-url', index] : [];
}

/**
 * Runs `pip install` in the environment of a Python.
 *
 * @throws SetupError with the remedy
 */
export async function install(python, args) {
  const {status, output} = await pipInstall(python, ['--quiet', ...args]);
  if (status !== 0) throw new SetupError(pipFailure(output));
}

/**
 * Returns a sentence if pip's index lacks a package or is not reached, else null: also if pip answers in another way.
 *
 * Asks for a version that does not exist: pip then prints those that do, and downloads nothing. `pip index` would not
 * read the user's settings for installations.
 *
 * @param wanted the package and its version, `name==1.2`
 * @param options more options of pip
 */
export async function whyNotIndexed(python, wanted, options = []) {
  const [name, version] = wanted.split('==');
  const {output} = await pipInstall(python, ['--no-deps', ...options, `${name}==0`]);
  const versions = /\(from versions: ([^)]*)\)/.exec(output)?.[1].split(', ');
  // A build for CPUs is `2.13.0+cpu`.
  if (versions === undefined || versions.some(each => each.split('+')[0] === version)) return null;
  return pipFailure(output.replaceAll(`${name}==0`, wanted));
}

function pipInstall(python, args) {
  // A user's `user = true` must not apply to a virtual environment.
  return tryRun(python, ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-user', ...args], ownPython);
}

/** Returns one sentence about why pip failed, or the end of its output. */
export function pipFailure(output) {
  if (/No space left|quota exceeded/i.test(output)) {
    return 'The disk or your share of it is full: free about 6 GB, and start again.';
  }
  if (/SSLError|CERTIFICATE_VERIFY_FAILED/.test(output)) {
    return 'pip does not trust the certificate of its index: name your company’s certificates with "pip config set global.cert FILE".';
  }
  if (/NewConnectionError|ConnectTimeout|NameResolution|ProxyError|ReadTimeout|ConnectionReset/.test(output)) {
    return 'pip cannot reach its index: check the network and, behind a proxy, set HTTPS_PROXY, or name a Python that has torch in GPU_LENS_PYTHON.';
  }
  const absent = /No matching distribution found for (\S+)/.exec(output);
  if (absent) {
    const other = absent[1].startsWith('torch') ? ', or another index for torch with GPU_LENS_TORCH_INDEX' : '';
    return `pip’s index has no ${absent[1]} for this Python and machine: take ${supportedPythons}${other}.`;
  }
  return `pip failed:\n${output.trimEnd().split('\n').slice(-20).join('\n')}`;
}

/** Runs a program quietly; one that does not start has the status 1. */
export function tryRun(program, args, env = {}) {
  return run(program, args, {quiet: true, env}).catch(error => ({status: 1, output: error.message, stdout: ''}));
}
