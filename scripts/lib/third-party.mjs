// The third-party contents of a package: their licenses as text, and a bill of materials.
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe} from './bundled-packages.mjs';
import {root} from './run.mjs';

const sqlite = 'node_modules/better-sqlite3';

/** better-sqlite3, and SQLite, which its binary contains. */
export function sqlitePackages() {
  const header = readFileSync(join(root, sqlite, 'deps', 'sqlite3', 'sqlite3.h'), 'utf8');
  const [, version] = /#define SQLITE_VERSION\s+"([\d.]+)"/.exec(header);
  const engine = {name: 'sqlite', version, license: 'blessing', repository: 'https://sqlite.org/src', folder: null};
  return [describe(sqlite), engine];
}

/** Returns the licenses of the packages, each with the package's own text. */
export function noticesOf(packages) {
  const parts = packages.map(({name, version, license, repository, folder}) => {
    const source = repository === null ? '' : `\nSource: ${repository}`;
    return `${name} ${version} (${license})${source}\n\n${licenseText(folder) ?? `Licensed under ${license}.`}\n`;
  });
  return `GPU Lens contains work of others, unchanged or compiled.\n\n${parts.join(`\n${'-'.repeat(72)}\n\n`)}`;
}

function licenseText(folder) {
  if (folder === null) return 'SQLite is in the public domain.';
  const files = readdirSync(join(root, folder)).filter(name => /^(licen[cs]e|notice|copying)/i.test(name));
  if (files.length === 0) return null;
  return files.map(name => readFileSync(join(root, folder, name), 'utf8').trim()).join('\n\n');
}

/**
 * Returns the packages as CycloneDX 1.6. It has no time and no serial number, so that the same sources give the same
 * bytes.
 *
 * @see https://cyclonedx.org/docs/1.6/json/
 */
export function billOfMaterials(name, packages) {
  const {version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const own = {type: 'application', 'bom-ref': name, name, version, licenses: [{license: {id: 'MIT'}}]};
  const components = packages.map(component);
  const dependencies = [{ref: name, dependsOn: components.map(each => each['bom-ref'])}];
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {component: own},
    components,
    dependencies,
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function component({name, version, license, repository}) {
  const isOfNpm = name !== 'sqlite';
  const purl = isOfNpm ? `pkg:npm/${name.replace('@', '%40')}@${version}` : `pkg:generic/${name}@${version}`;
  const [group, own] = name.startsWith('@') ? name.split('/') : [null, name];
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group === null ? {} : {group}),
    name: own,
    version,
    licenses: [{license: {id: license}}],
    purl,
    ...(repository === null ? {} : {externalReferences: [{type: 'vcs', url: repository}]}),
  };
}
