import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {hasPackages} from '../../scripts/lib/dependencies.mjs';
import {project} from '../support/project.js';

type Packages = Parameters<typeof hasPackages>[0];

const wanted = {
  '': {version: '0.1.0'},
  'node_modules/a': {version: '1.0.0', integrity: 'sha512-a'},
  'node_modules/for-macos': {version: '2.0.0', integrity: 'sha512-m', optional: true},
};

describe('hasPackages(wanted, installed)', () => {
  it('is true where every package has its version, and those of other platforms are absent', () => {
    expect(hasPackages(wanted, {'node_modules/a': {version: '1.0.0', integrity: 'sha512-a'}})).toBe(true);
  });

  it.each<[string, Packages, Packages?]>([
    ['nothing is installed', {}],
    ['a package is older', {'node_modules/a': {version: '0.9.0', integrity: 'sha512-a'}}],
    ['a package is another one', {'node_modules/a': {version: '1.0.0', integrity: 'sha512-b'}}],
    [
      'an optional package is older',
      {'node_modules/a': wanted['node_modules/a'], 'node_modules/for-macos': {version: '1.0.0'}},
    ],
    [
      'one for this platform is absent',
      {'node_modules/a': wanted['node_modules/a']},
      {
        ...wanted,
        'node_modules/native': {version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch]},
      },
    ],
  ])('is false where %s', (_, installed, lock = wanted) => {
    expect(hasPackages(lock, installed)).toBe(false);
  });

  it('is true of this checkout after its own installation', () => {
    const packagesOf = (path: string): Packages =>
      (JSON.parse(readFileSync(join(project, path), 'utf8')) as {packages: Packages}).packages;
    expect(hasPackages(packagesOf('package-lock.json'), packagesOf('node_modules/.package-lock.json'))).toBe(true);
  });
});

describe('allowScripts of package.json', () => {
  it('names every package of the lockfile that has a script of installation', () => {
    const {allowScripts} = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      allowScripts: Record<string, boolean>;
    };
    const {packages} = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, {hasInstallScript?: boolean}>;
    };
    const scripted = Object.keys(packages).filter(path => packages[path]?.hasInstallScript);
    expect(Object.keys(allowScripts).sort()).toEqual(scripted.map(path => path.replace(/.*node_modules\//, '')).sort());
  });
});
