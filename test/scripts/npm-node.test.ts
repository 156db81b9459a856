import {spawnSync} from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {npmCli} from '../../scripts/lib/npm.mjs';
import {isOutside, nodeOutside, npmNode} from '../../scripts/lib/npm-node.mjs';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();

/** A program that says it is this version of Node. */
function standIn(path: string, version: string): string {
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, `#!/bin/sh\necho v${version}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe.skipIf(process.platform === 'win32')('nodeOutside(env, running, checkout)', () => {
  const checkout = join(folder, 'checkout');
  const inside = standIn(join(checkout, 'node_modules', 'node', 'bin', 'node'), '24.0.0');
  const old = standIn(join(folder, 'old', 'node'), '18.20.0');
  const good = standIn(join(folder, 'good', 'node'), '22.0.0');
  const other = standIn(join(folder, 'other', 'node'), '22.1.0');
  const path = (...programs: string[]) => programs.map(dirname).join(':');

  it('is the running Node outside the checkout', () => {
    expect(nodeOutside({PATH: path(other)}, good, checkout)).toBe(good);
  });

  it('is the Node of npm where the running one would be deleted with node_modules', () => {
    expect(nodeOutside({PATH: path(inside, other), npm_node_execpath: good}, inside, checkout)).toBe(good);
  });

  it('is the first on PATH that is new enough and no link into the checkout', () => {
    mkdirSync(join(folder, 'links'));
    symlinkSync(inside, join(folder, 'links', 'node'));
    const PATH = [join(folder, 'links'), path(inside, old, good, other)].join(':');
    expect(nodeOutside({PATH, npm_node_execpath: inside}, inside, checkout)).toBe(good);
  });

  it('is null where every Node lies in the checkout', () => {
    expect(nodeOutside({PATH: path(inside, old)}, inside, checkout)).toBeNull();
  });

  it('takes a node_modules that is a link for a part of the checkout', () => {
    const linked = join(folder, 'linked');
    mkdirSync(linked);
    symlinkSync(join(checkout, 'node_modules'), join(linked, 'node_modules'));
    expect(isOutside(inside, linked)).toBe(false);
    expect(isOutside(good, linked)).toBe(true);
  });
});

/** A package that, like npm's "node", puts a Node into its own folder by its script of installation. */
const nodePackage = {
  'package.json': JSON.stringify({name: 'node', version: '1.0.0', scripts: {install: 'node install.cjs'}}),
  'install.cjs': `
    const {mkdirSync, copyFileSync} = require('node:fs');
    mkdirSync('bin', {recursive: true});
    copyFileSync(process.execPath, 'bin/node');`,
};

/** A checkout whose one dependency is that package; npm needs no network for it. */
function checkoutWithNode(name: string): string {
  const checkout = join(folder, name);
  cpSync(join(project, 'scripts'), join(checkout, 'scripts'), {recursive: true});
  mkdirSync(join(checkout, 'package'));
  for (const [file, text] of Object.entries(nodePackage)) writeFileSync(join(checkout, 'package', file), text);
  expect(spawnSync('tar', ['-czf', 'node.tgz', 'package'], {cwd: checkout}).status).toBe(0);
  writeFileSync(
    join(checkout, 'package.json'),
    JSON.stringify({
      name: 'checkout',
      engines: {node: '>=20.12.0'},
      dependencies: {node: 'file:node.tgz'},
      allowScripts: {node: true},
    }),
  );
  const lock = ['install', '--package-lock-only', '--offline', '--no-audit', '--no-fund'];
  const made = spawnSync(npmNode(), [npmCli(), ...lock], {cwd: checkout, encoding: 'utf8'});
  expect(made.status, made.stderr).toBe(0);
  return checkout;
}

describe.skipIf(process.platform === 'win32')('ensureDependencies(), run by the Node of node_modules', () => {
  /** Runs it as `npm start` does, by the Node in the checkout. */
  function ensured(checkout: string, env: Readonly<Record<string, string>>) {
    const dependencies = join(checkout, 'scripts', 'lib', 'dependencies.mjs');
    const code = `await (await import(${JSON.stringify(dependencies)})).ensureDependencies(); console.log('done')`;
    const node = join(checkout, 'node_modules', 'node', 'bin', 'node');
    return spawnSync(node, ['--input-type=module', '-e', code], {
      cwd: checkout,
      encoding: 'utf8',
      env: {npm_config_registry: 'http://127.0.0.1:9/', npm_config_cache: join(folder, 'cache'), HOME: folder, ...env},
    });
  }

  /** A PATH with a shell, which npm needs for scripts of packages, and no Node. */
  function shellAlone(): string {
    const programs = mkdtempSync(join(folder, 'bin-'));
    symlinkSync('/bin/sh', join(programs, 'sh'));
    return programs;
  }

  it.each([
    ['by the Node that runs npm', () => ({npm_node_execpath: npmNode()})],
    ['by a copy of itself where there is no other', () => ({})],
  ])('installs what the lockfile says now, %s', (how, env) => {
    const checkout = checkoutWithNode(how);
    const bin = join(checkout, 'node_modules', 'node', 'bin', 'node');
    mkdirSync(dirname(bin), {recursive: true});
    copyFileSync(process.execPath, bin);
    // As after a `git pull`: what is installed is not what the lockfile names.
    const installed = {packages: {'node_modules/node': {version: '0.9.0'}}};
    writeFileSync(join(checkout, 'node_modules', '.package-lock.json'), JSON.stringify(installed));
    const {status, stdout, stderr} = ensured(checkout, {PATH: shellAlone(), npm_execpath: npmCli(), ...env()});
    expect(stderr).toBe('');
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^Installing dependencies .*\ndone\n$/)]);
    const lock = readFileSync(join(checkout, 'node_modules', '.package-lock.json'), 'utf8');
    expect(lock).toContain('"version": "1.0.0"');
    expect(existsSync(bin)).toBe(true);
    expect(existsSync(join(checkout, 'out', 'tools', 'npm-node'))).toBe(false);
  });
});
