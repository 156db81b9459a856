// The npm packages contained in bundles.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {root} from './run.mjs';

/** The compiled scanner contains parts of AssemblyScript's library, which no import shows. */
const compiledIn = 'node_modules/assemblyscript/std';

/**
 * Returns name, version, license, repository and folder of each package that contains one of the files, by name.
 *
 * @param inputs paths from the checkout's root
 */
export function bundledPackages(inputs) {
  const folders = new Set(
    [...inputs, compiledIn].flatMap(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []),
  );
  return [...folders].map(describe).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Returns a package's data from the manifest in its folder. */
export function describe(folder) {
  const {name, version, license, repository} = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  return {name, version, license, repository: repositoryUrl(repository), folder};
}

function repositoryUrl(repository) {
  const url = typeof repository === 'string' ? repository : repository?.url;
  if (url === undefined) return null;
  const [, host, path] = /([\w.-]+\.\w+)[:/](.+?)(?:\.git)?$/.exec(url) ?? [];
  return host ? `https://${host}/${path}` : `https://github.com/${url.replace(/^github:/, '')}`;
}
