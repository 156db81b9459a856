// A Python with torch for the runner's tests.
import {existsSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {once, out, run, say, unset} from './run.mjs';
import {SetupError} from './setup-error.mjs';

const torch = 'torch==2.13.0';
/** What torch and IPython have packages for. */
const versions = {oldest: [3, 11], newest: [3, 14]};
const packages = ['ipython==9.17.1', 'numpy', 'pytest==9.1.1', 'pytest-xdist==3.8.0', 'ruff==0.16.9'];
/**
 * Libraries that the long tests run programs with, beside the same torch. timm is not among them: it needs torchvision,
 * whose builds for CPUs not every index has.
 */
const longPackages = [
  ...[torch, 'accelerate==1.15.0', 'duckdb==1.5.6', 'lightning==2.6.6'],
  ...['ray==2.58.0', 'transformers==5.18.0'],
];
const home = join(out, 'venv');
const python = process.platform === 'win32' ? join(home, 'Scripts', 'python.exe') : join(home, 'bin', 'python');
const mark = join(home, '.installed');
const version = [torch, ...packages].join();

const supported = `Python ${versions.oldest.join('.')} to ${versions.newest.join('.')}`;

/** The environment of that Python: other packages and places that the user has set for pip would not be found. */
const ownPython = unset([
  'PYTHONHOME',
  'PYTHONPATH',
  'PIP_CONSTRAINT',
  'PIP_TARGET',
  'PIP_PREFIX',
  'PIP_ROOT',
  'PIP_USER',
  'PIP_NO_DEPS',
]);

/**
 * Returns the path of a Python that has torch, pytest with pytest-xdist, and ruff: that of GPU_LENS_PYTHON, or one in
 * out/venv.
 *
 * @throws SetupError with the remedy
 */
export async function ensurePython() {
  if (process.env.GPU_LENS_PYTHON) return process.env.GPU_LENS_PYTHON;
  const index = process.env.GPU_LENS_TORCH_INDEX;
  // The Python that it was made of may have gone since.
  if (existsSync(mark) && (await missingModules(python, ownPython))?.length !== 0) rmSync(mark);
  await once(mark, version, async () => {
    say(`Making a Python environment: ${downloadSize(index)} …`);
    await makeVenv();
    await install([...(index ? ['--index-url', index] : []), torch]);
    await install(packages);
    const incomplete = await missingModules(python, ownPython);
    if (incomplete?.length !== 0) throw new SetupError(`pip did not install into ${home}: see "pip config list".`);
  });
  return python;
}

/**
 * Installs what only the long tests need into the environment in out/venv. A Python that the user names is left as it
 * is: tests of what it lacks are skipped.
 *
 * @throws SetupError with the remedy
 */
export async function ensureLongPackages() {
  if (process.env.GPU_LENS_PYTHON) return;
  await once(join(home, '.long-installed'), longPackages.join(), async () => {
    say('Installing the libraries of the long tests: pip downloads about 200 MB …');
    await install(longPackages);
  });
}

/**
 * Returns the approximate size of pip's downloads; `index` is the source of torch, if it is not pip's configured index.
 */
export function downloadSize(index, platform = process.platform) {
  if (index)
    return `pip downloads torch from ${index}, about 200 MB of a build for CPUs and up to 3 GB of one with CUDA`;
  if (platform !== 'linux') return 'pip downloads about 300 MB (torch, NumPy, pytest)';
  return 'pip downloads up to 3 GB (torch with CUDA; for a build of about 200 MB, see GPU_LENS_TORCH_INDEX in CONTRIBUTING.md)';
}

/**
 * Returns a sentence if there is no Python to create the environment with, or if GPU_LENS_PYTHON lacks something; else
 * null.
 */
export async function whyNoPython() {
  const named = process.env.GPU_LENS_PYTHON;
  if (named) return whyIncomplete(named);
  if (existsSync(mark) && (await missingModules(python, ownPython))?.length === 0) return null;
  const other = 'name a Python that has torch in GPU_LENS_PYTHON, or run "npm test -- --quick", which does without';
  if (process.platform === 'darwin' && process.arch === 'x64')
    return `torch has no packages for Macs with an Intel processor: ${other}.`;
  if ((await basePython()) !== null) return null;
  const from = process.platform === 'linux' ? ' with "sudo apt-get install python3-venv" (Debian, Ubuntu) or' : '';
  return `The runner’s tests need ${supported} with venv: install it${from} from https://www.python.org, ${other}.`;
}

async function whyIncomplete(named) {
  const missing = await missingModules(named);
  if (missing === null) return `GPU_LENS_PYTHON names ${named}, which does not run: name a Python, or unset it.`;
  if (missing.length === 0) return null;
  return `GPU_LENS_PYTHON lacks ${missing.join(', ')}: install it with "${named} -m pip install ${missing.join(' ')}", or unset GPU_LENS_PYTHON.`;
}

/** Returns the packages that a Python lacks; null if it does not run. */
async function missingModules(program, env) {
  const modules = ['torch', 'numpy', 'pytest', 'xdist', 'ruff'];
  const code = `import importlib.util as u, sys; print([m for m in sys.argv[1:] if u.find_spec(m) is None])`;
  const {status, stdout} = await tryRun(program, ['-c', code, ...modules], env);
  if (status !== 0) return null;
  return [...stdout.matchAll(/'(\w+)'/g)].map(([, module]) => (module === 'xdist' ? 'pytest-xdist' : module));
}

/** Makes the environment anew: one that was not finished may lack pip. */
async function makeVenv() {
  const made = await tryRun((await basePython()) ?? 'python3', ['-m', 'venv', '--clear', home], ownPython);
  if (made.status !== 0) throw new SetupError(`Python could not make ${home}:\n${made.output.trimEnd()}`);
}

/** Returns the name of a Python that torch has packages for and that has venv; null if there is none. */
async function basePython() {
  const [oldest, newest] = [versions.oldest, versions.newest].map(version => `(${version.join(', ')})`);
  const code = `import sys, venv, ensurepip; sys.exit(not ${oldest} <= sys.version_info[:2] <= ${newest})`;
  for (const name of ['python3', 'python']) {
    if ((await tryRun(name, ['-c', code])).status === 0) return name;
  }
  return null;
}

/** Runs `pip install` in the environment. */
async function install(args) {
  // A user's `user = true` must not apply to a virtual environment.
  const options = ['install', '--quiet', '--disable-pip-version-check', '--no-user'];
  const {status, output} = await tryRun(python, ['-m', 'pip', ...options, ...args], ownPython);
  if (status !== 0) throw new SetupError(pipFailure(output));
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
    return `pip’s index has no ${absent[1]} for this Python and machine: take ${supported}${other}.`;
  }
  return `pip failed:\n${output.trimEnd().split('\n').slice(-20).join('\n')}`;
}

function tryRun(program, args, env = {}) {
  return run(program, args, {quiet: true, env}).catch(error => ({status: 1, output: error.message, stdout: ''}));
}
