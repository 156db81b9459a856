import {mkdirSync, realpathSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {npmCli, npmFailure} from '../../scripts/lib/npm.mjs';
import {temporaryFolder} from '../support/project.js';

const folder = realpathSync(temporaryFolder());

function file(...path: string[]): string {
  const whole = join(folder, ...path);
  mkdirSync(dirname(whole), {recursive: true});
  writeFileSync(whole, '');
  return whole;
}

describe('npmCli(env, node)', () => {
  it('is the npm that runs the script', () => {
    const cli = file('running', 'npm-cli.js');
    expect(npmCli({npm_execpath: cli}, join(folder, 'bin', 'node'))).toBe(cli);
  });

  it('is not the yarn or pnpm that runs the script, but the npm beside node', () => {
    const cli = file('unix', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
    const yarn = file('yarn', 'yarn.js');
    expect(npmCli({npm_execpath: yarn}, join(folder, 'unix', 'bin', 'node'))).toBe(cli);
    const onWindows = file('Program Files', 'nodejs', 'node_modules', 'npm', 'bin', 'npm-cli.js');
    expect(npmCli({}, join(folder, 'Program Files', 'nodejs', 'node.exe'))).toBe(onWindows);
  });

  it('is what the link on PATH leads to', () => {
    const cli = file('share', 'npm-cli.js');
    mkdirSync(join(folder, 'links'));
    symlinkSync(cli, join(folder, 'links', 'npm'));
    expect(npmCli({PATH: join(folder, 'links')}, join(folder, 'elsewhere', 'node'))).toBe(cli);
  });

  it('says where npm comes from when there is none', () => {
    expect(() => npmCli({PATH: ''}, join(folder, 'elsewhere', 'node'))).toThrow(/^npm is not there: install Node\.js/);
  });
});

describe('npmFailure(args, output)', () => {
  it.each([
    ['npm error code ENOTFOUND\nnpm error network request to … failed', /cannot reach its registry.*https-proxy/],
    ['npm error code ECONNREFUSED', /cannot reach its registry/],
    ['npm error code E407', /asks for a password/],
    ['npm error code SELF_SIGNED_CERT_IN_CHAIN', /does not trust the certificate/],
    ['npm error code ENOSPC\nnpm error nospc ENOSPC: no space left on device', /disk or your share of it is full/],
    ['npm error code EDQUOT', /disk or your share of it is full/],
    ['npm error code ETARGET\nnpm error notarget No matching version', /lacks a package/],
    ['npm error code EACCES\nnpm error syscall mkdir', /may not write here/],
  ])('%s', (output, sentence) => {
    expect(npmFailure(['ci'], output)).toMatch(sentence);
    expect(npmFailure(['ci'], output)).not.toContain('\n');
  });

  it('shows the end of what npm said where the cause is none of these', () => {
    expect(npmFailure(['ci'], 'npm error something else\n')).toBe('"npm ci" failed:\nnpm error something else');
  });
});
