// What tests name in their text: for `npm test -- --changed`.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join, posix} from 'node:path';
import {root} from '../run.mjs';

/** Returns the paths of the files below a folder of the checkout, relative to it and with "/" on every system. */
export function filesBelow(folder) {
  const names = readdirSync(join(root, folder), {recursive: true});
  return names.map(name => `${folder}/${name.replaceAll('\\', '/')}`);
}

/**
 * Returns the text of a test, and of the helpers that it imports, directly or through others, except one with the titles
 * of all views. Paths are relative to the checkout.
 */
export function textsOf(path, seen = new Set()) {
  if (seen.has(path) || !existsSync(join(root, path))) return [];
  seen.add(path);
  const text = readFileSync(join(root, path), 'utf8');
  const imported = [...text.matchAll(/ from '(\.\.?\/[\w./-]+)\.js'/g)].map(([, name]) => `${name}.ts`);
  const helpers = imported
    .map(name => posix.join(posix.dirname(path), name))
    .filter(helper => helper.startsWith('test/') && !helper.endsWith('/workbench.ts'));
  return [text, ...helpers.flatMap(helper => textsOf(helper, seen))];
}
