// Installs the npm packages of the lockfile if they are missing.
//
// Scripts of packages are disabled: better-sqlite3 would compile itself, which needs a compiler and Python, although
// its binaries are in the package. The few packages that need theirs are rebuilt by name; `allowScripts` of
// package.json says the same to npm.
import {existsSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {isRegistryReachable, npm} from './npm.mjs';
import {node24, once, root, say} from './run.mjs';

const modules = join(root, 'node_modules');

/** Makes node_modules match the lockfile. */
export async function ensureDependencies() {
  const wanted = readLock(join(root, 'package-lock.json'));
  const scripted = allowedScripts();
  if (!hasPackages(wanted, readLock(join(modules, '.package-lock.json')))) {
    // Without a network, npm retries each package for minutes, although its cache may have them all.
    const source = (await isRegistryReachable()) ? [] : ['--offline'];
    say('Installing dependencies (about 130 MB, unless npm has them in its cache) …');
    await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...source]);
  }
  const mark = join(modules, '.gpu-lens-rebuilt');
  // The user's own `npm ci` deletes the mark with the folder.
  if (!existsSync(node24)) rmSync(mark, {force: true});
  const versions = scripted.map(name => `${name}@${wanted[`node_modules/${name}`].version}`).join(' ');
  await once(mark, versions, async () => {
    // A user's `ignore-scripts=true` must not apply to these.
    await npm(['rebuild', '--ignore-scripts=false', ...scripted]);
  });
}

/**
 * Returns whether npm's own list of installed packages has each package of the lockfile in its version. Optional ones
 * may be absent: npm skips those of other platforms.
 */
export function hasPackages(wanted, installed) {
  return Object.entries(wanted).every(([path, {version, integrity, optional = false}]) => {
    if (path === '') return true;
    const there = installed[path];
    return there ? there.version === version && there.integrity === integrity : optional;
  });
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
