// What tests name in their text: for `npm test -- --changed`.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {root} from '../run.mjs';

/** Returns the paths of the files below a folder of the checkout, relative to it and with "/" on every system. */
export function filesBelow(folder) {
  const names = readdirSync(join(root, folder), {recursive: true});
  return names.map(name => `${folder}/${name.replaceAll('\\', '/')}`);
}

/**
 * Returns the text of a test, and of the helpers that it imports from a folder `support`, except one with the titles of
 * all views. `path` is relative to the checkout.
 */
export function textsOf(path) {
  const text = readFileSync(join(root, path), 'utf8');
  const helpers = [...text.matchAll(/ from '(\.[\w./-]*\/support\/(?!workbench\.)[\w-]+)\.js'/g)];
  const paths = helpers.map(([, name]) => join(root, dirname(path), `${name}.ts`));
  return [text, ...paths.filter(existsSync).map(one => readFileSync(one, 'utf8'))];
}
