// The Node that runs npm. `npm ci` deletes node_modules, where the Node of `npm start` and `npm test` usually lies,
// because npm puts node_modules/.bin first on PATH.
import {spawnSync} from 'node:child_process';
import {copyFileSync, mkdirSync, readFileSync, realpathSync, rmSync} from 'node:fs';
import {delimiter, join, sep} from 'node:path';
import {out, root} from './run.mjs';

const name = process.platform === 'win32' ? 'node.exe' : 'node';
let chosen = null;

/**
 * Returns a Node that stays in place while npm installs: the running one if it is outside the checkout, else the one
 * that runs npm, else the first on PATH, else a copy of the running one, which is removed at the end.
 */
export function npmNode() {
  chosen ??= nodeOutside() ?? copyOfNode();
  return chosen;
}

/** Returns the first Node outside the checkout that is new enough; null if there is none. */
export function nodeOutside(env = process.env, running = process.execPath, checkout = root) {
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter(folder => folder !== '');
  const onPath = folders.map(folder => join(folder, name));
  const others = [env.npm_node_execpath, ...onPath].filter(path => path && isOutside(path, checkout));
  return isOutside(running, checkout) ? running : (others.find(isNewEnough) ?? null);
}

/** Returns whether a file exists outside the checkout and its node_modules, wherever links lead. */
export function isOutside(path, checkout = root) {
  const real = realPath(path);
  const folders = [checkout, join(checkout, 'node_modules')].map(realPath).filter(Boolean);
  return real !== null && !folders.some(folder => real.startsWith(folder + sep));
}

/** Returns whether a Node starts, and has the version that package.json requires. */
function isNewEnough(path) {
  const {engines} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const required = numbersOf(engines.node);
  const found = numbersOf(spawnSync(path, ['--version'], {encoding: 'utf8'}).stdout ?? '');
  const different = required.findIndex((number, at) => number !== found[at]);
  return found.length > 0 && (different < 0 || found[different] > required[different]);
}

function numbersOf(version) {
  return (/\d+\.\d+\.\d+/.exec(version)?.[0] ?? '').split('.').filter(Boolean).map(Number);
}

/** Returns a copy of the running Node in a folder that no installation changes. */
function copyOfNode() {
  const folder = join(out, 'tools', 'npm-node');
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  copyFileSync(process.execPath, join(folder, name));
  process.once('exit', () => rmSync(folder, {recursive: true, force: true}));
  return join(folder, name);
}

function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
