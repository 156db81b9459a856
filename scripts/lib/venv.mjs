// A Python with torch for the runner's tests.
import {existsSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {install, ownPython, pythonVersions, supportedPythons, torchIndex, tryRun, whyNotIndexed} from './pip.mjs';
import {isMarked, once, out, say} from './run.mjs';
import {SetupError} from './setup-error.mjs';

const torch = 'torch==2.13.0';
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
const longMark = join(home, '.long-installed');
const longVersion = longPackages.join();

/**
 * Returns the path of a Python that has torch, pytest with pytest-xdist, and ruff: that of GPU_LENS_PYTHON, or one in
 * out/venv.
 *
 * @throws SetupError with the remedy
 */
export async function ensurePython() {
  if (process.env.GPU_LENS_PYTHON) return process.env.GPU_LENS_PYTHON;
  // The Python that it was made of may have gone since.
  if (existsSync(mark) && (await missingModules(python, ownPython))?.length !== 0) rmSync(mark);
  await once(mark, version, async () => {
    await madeVenv();
    say(`Installing torch and pytest into ${home}: ${downloadSize(process.env.GPU_LENS_TORCH_INDEX)} …`);
    await install(python, [...torchIndex(), torch]);
    await install(python, packages);
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
  await once(longMark, longVersion, async () => {
    say('Installing the libraries of the long tests: pip downloads about 200 MB …');
    await install(python, longPackages);
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
 * Returns a sentence if there is no Python to create the environment with, if pip does not get its packages from its
 * index, or if GPU_LENS_PYTHON lacks something; else null.
 *
 * @param options.isLong whether the long tests' libraries are needed, too
 */
export async function whyNoPython({isLong = false} = {}) {
  const named = process.env.GPU_LENS_PYTHON;
  if (named) return whyIncomplete(named);
  if (isMarked(mark, version) && (await missingModules(python, ownPython))?.length === 0) {
    return isLong && !isMarked(longMark, longVersion) ? whyNoPackages() : null;
  }
  return (await whyNoBase()) ?? (await whyNoVenv()) ?? whyNoPackages();
}

async function whyNoBase() {
  const other = 'name a Python that has torch in GPU_LENS_PYTHON, or run "npm test -- --quick", which does without';
  if (process.platform === 'darwin' && process.arch === 'x64')
    return `torch has no packages for Macs with an Intel processor: ${other}.`;
  if ((await basePython()) !== null) return null;
  const from = process.platform === 'linux' ? ' with "sudo apt-get install python3-venv" (Debian, Ubuntu) or' : '';
  return `The runner’s tests need ${supportedPythons} with venv: install it${from} from https://www.python.org, ${other}.`;
}

/** Makes the environment, whose pip is asked then: the Python of some systems (Debian) has no pip of its own. */
async function whyNoVenv() {
  try {
    await madeVenv();
    return null;
  } catch (error) {
    if (error instanceof SetupError) return error.message;
    throw error;
  }
}

/** Asks the index of torch and, if that is another one, pip's configured index. */
async function whyNoPackages() {
  const [configured] = packages;
  const why = await whyNotIndexed(python, torch, torchIndex());
  return why ?? (torchIndex().length > 0 ? whyNotIndexed(python, configured) : null);
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

let making = null;

/** Makes the environment anew, once in a run: one that was not finished may lack pip. */
function madeVenv() {
  return (making ??= makeVenv());
}

async function makeVenv() {
  say('Making a Python environment …');
  const made = await tryRun((await basePython()) ?? 'python3', ['-m', 'venv', '--clear', home], ownPython);
  if (made.status === 0) return;
  const end = made.output.trimEnd().split('\n').at(-1);
  throw new SetupError(`Python could not make ${home} (${end}): remove that folder, and start again.`);
}

/** Returns the name of a Python that torch has packages for and that has venv; null if there is none. */
async function basePython() {
  const [oldest, newest] = [pythonVersions.oldest, pythonVersions.newest].map(version => `(${version.join(', ')})`);
  const code = `import sys, venv, ensurepip; sys.exit(not ${oldest} <= sys.version_info[:2] <= ${newest})`;
  for (const name of ['python3', 'python']) {
    if ((await tryRun(name, ['-c', code])).status === 0) return name;
  }
  return null;
}
