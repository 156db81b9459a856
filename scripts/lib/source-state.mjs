// Detects changes in the inputs of a build.
import {createHash} from 'node:crypto';
import {readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {root} from './run.mjs';

/** All inputs of the extension's package. */
const sources = [
  ...['src', 'webview', 'media', join('scripts', 'lib'), 'esbuild.mjs', 'package.json', 'package-lock.json'],
  ...[
    'package.nls.json',
    'package.nls.zh-cn.json',
    'l10n',
    'skills',
    join('docs', 'metrics.md'),
    'tsconfig.base.json',
    'README.md',
    'CHANGELOG.md',
    'LICENSE',
    '.vscodeignore',
  ],
];

/**
 * Returns a text that changes when one of these files is added, removed, written or renamed: their names, sizes and
 * times.
 */
export function sourceState(folder = root, paths = sources) {
  const hash = createHash('sha256');
  for (const path of paths) addState(hash, join(folder, path));
  return hash.digest('hex');
}

function addState(hash, path) {
  const state = statSync(path, {throwIfNoEntry: false});
  if (state?.isDirectory()) {
    for (const name of readdirSync(path).sort()) if (name !== '__pycache__') addState(hash, join(path, name));
  } else {
    hash.update(`${path} ${state?.size} ${state?.mtimeMs}\n`);
  }
}
