import {chmodSync, existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it, vi} from 'vitest';
import {runInOwnNode} from '../../src/cli/right-node.js';
import {patience} from '../support/patience.js';
import {temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();

/** Runs a shell script in the place of the project's own Node. */
function run(name: string, script: string) {
  const bin = join(folder, name, 'node_modules', 'node', 'bin');
  mkdirSync(bin, {recursive: true});
  writeFileSync(join(bin, 'node'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, 'node'), 0o755);
  return runInOwnNode(join(folder, name, 'dist'), () => undefined);
}

it('runInOwnNode(dist) returns the status, and 128 + n for a signal', async () => {
  expect(await run('status', 'exit 2')).toBe(2);
  expect(await run('signal', 'kill -TERM $$')).toBe(143);
});

it('runInOwnNode(dist) passes signals on', async () => {
  const ready = join(folder, 'ready');
  const status = run('passes on', `trap 'exit 7' HUP; : > '${ready}'; while :; do sleep 0.05; done`);
  // Until the script has set its trap, a signal would end it.
  await vi.waitUntil(() => existsSync(ready), patience);
  process.emit('SIGHUP', 'SIGHUP');
  expect(await status).toBe(7);
});
