import {spawnSync} from 'node:child_process';
import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {npmCli} from '../../scripts/lib/npm.mjs';
import {npmNode} from '../../scripts/lib/npm-node.mjs';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const system = process.platform === 'win32' ? 'win' : process.platform;
const program = process.platform === 'win32' ? 'node.exe' : 'node';

/** Downloads a Node from npm, and returns its path. */
function downloaded(version: string): string {
  const name = `node-${system}-${process.arch}`;
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `node-${version}@npm:${name}@${version}`];
  const {status, stderr} = spawnSync(npmNode(), [npmCli(), ...args], {cwd: folder, encoding: 'utf8'});
  expect([status, stderr.includes('npm error')], stderr).toEqual([0, false]);
  return join(folder, 'node_modules', `node-${version}`, 'bin', program);
}

it.each(['12', '18'])(
  'npm start and npm test say in one sentence that Node %s is too old, and start nothing',
  version => {
    const node = downloaded(version);
    for (const script of ['start', 'test', 'bare']) {
      const {status, stdout, stderr} = spawnSync(node, [join(project, 'scripts', 'on-node.cjs'), script], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(stderr).toMatch(
        new RegExp(
          `^GPU Lens needs Node\\.js 20\\.12\\.0 or later, and this is ${version}\\.\\d+\\.\\d+: install it from`,
        ),
      );
      expect([status, stdout, stderr.trimEnd().split('\n').length]).toEqual([1, '', 1]);
    }
    expect(existsSync(join(folder, 'out'))).toBe(false);
  },
  180_000,
);
