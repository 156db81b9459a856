// Installs the npm packages of the lockfile if they are missing.
//
// Scripts of packages are disabled: better-sqlite3 would compile itself, which needs a compiler and Python, although
// its binaries are in the package. The few packages that need theirs are rebuilt by name; `allowScripts` of
// package.json says the same to npm.
import {existsSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {npm, offlineOptions, wholeInstallation} from './npm.mjs';
import {node24, once, root, run, say} from './run.mjs';
import {SetupError} from './setup-error.mjs';

const modules = join(root, 'node_modules');

/** Makes node_modules match the lockfile. */
export async function ensureDependencies() {
  const wanted = readLock(join(root, 'package-lock.json'));
  const scripted = allowedScripts();
  if (!hasPackages(wanted, readLock(join(modules, '.package-lock.json')))) {
    const offline = await offlineOptions();
    say('Installing dependencies (about 130 MB, unless npm has them in its cache) …');
    await npm(['ci', ...wholeInstallation, '--include=dev', ...offline]);
  }
  const mark = join(modules, '.gpu-lens-rebuilt');
  // The user's own `npm ci` deletes the mark with the folder.
  if (!existsSync(node24)) rmSync(mark, {force: true});
  const versions = scripted.map(name => `${name}@${wanted[`node_modules/${name}`].version}`).join(' ');
  await once(mark, versions, async () => {
    // A user's `ignore-scripts=true` must not apply to these.
    await npm(['rebuild', '--ignore-scripts=false', ...scripted]);
    const {status, output} = await run(node24, ['--version'], {quiet: true}).catch(error => ({
      status: 1,
      output: error.message,
    }));
    if (status !== 0) throw new SetupError(whyNodeFails(output));
  });
}

/**
 * Returns whether npm's own list of installed packages has each package of the lockfile in its version. Optional ones
 * may be absent, as npm skips those of other platforms, except those of this platform.
 */
export function hasPackages(wanted, installed) {
  return Object.entries(wanted).every(([path, locked]) => {
    if (path === '') return true;
    const there = installed[path];
    if (!there) return locked.optional === true && !isForThisPlatform(locked);
    return there.version === locked.version && there.integrity === locked.integrity;
  });
}

/** Those that also name a C library are left out: which one this system has is not known. */
function isForThisPlatform({os = [], cpu = [], libc}) {
  return os.includes(process.platform) && cpu.includes(process.arch) && libc === undefined;
}

/** Returns a sentence for a system such as NixOS, which does not run programs of other systems. */
function whyNodeFails(output) {
  const remedy = 'take a system that runs programs made for Debian or Ubuntu, also in a container';
  return `${node24} does not start here (${output.trim().split('\n').at(-1)}): ${remedy}.`;
}

/** Returns the packages of a lockfile by their paths; none if there is no such file. */
function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return {};
  }
}

/** The packages whose scripts may run. */
function allowedScripts() {
  const {allowScripts} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.keys(allowScripts).filter(name => allowScripts[name]);
}
