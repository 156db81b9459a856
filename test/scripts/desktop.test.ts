import {spawnSync} from 'node:child_process';
import {chmodSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {project, temporaryFolder} from '../support/project.js';

const root = temporaryFolder();
const module = join(project, 'scripts', 'lib', 'desktop.mjs');

/** What `openDesktop` asks of a `code` on PATH, call by call; `text` is what that is. */
function callsOf(name: string, text: string): {calls: string[]; stderr: string} {
  const folder = join(root, name);
  mkdirSync(folder);
  const log = join(folder, 'log');
  writeFileSync(log, '');
  writeFileSync(join(folder, 'code'), `#!/bin/sh\ncd '${folder}'\necho "$*" >> log\n${text}\n`);
  chmodSync(join(folder, 'code'), 0o755);
  const program = `import {openDesktop} from ${JSON.stringify(module)}; await openDesktop('/a b/x.vsix', '/a b/sample');`;
  const {stderr} = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    env: {PATH: `${folder}:/usr/bin:/bin`},
  });
  return {calls: readFileSync(log, 'utf8').trimEnd().split('\n'), stderr};
}

const install = '--install-extension /a b/x.vsix --force --profile GPU Lens';
const open = '/a b/sample --goto /a b/sample/train.py --profile GPU Lens';

describe.skipIf(process.platform === 'win32')('openDesktop(vsix, folder)', () => {
  it('installs into the profile of its own, then opens the folder in it', () => {
    expect(callsOf('second', '')).toEqual({calls: [install, open], stderr: ''});
  });

  it('opens the window first where the profile does not exist: VS Code makes it then', () => {
    const text = `case "$1" in
      --install-extension) test -e profile || { echo "Profile 'GPU Lens' not found." >&2; exit 1; };;
      *) touch profile;;
    esac`;
    expect(callsOf('first', text)).toEqual({calls: [install, open, install], stderr: ''});
  });

  it('says what VS Code said where it opens no window', () => {
    const {calls, stderr} = callsOf(
      'closed',
      'case "$1" in --install-extension) ;; *) echo "No display" >&2; exit 1;; esac',
    );
    expect(calls).toEqual([install, open]);
    expect(stderr).toContain('VS Code could not open /a b/sample:\nNo display');
  });

  it('says what VS Code said where it cannot install, and opens nothing', () => {
    const {calls, stderr} = callsOf('refused', 'echo "No space" >&2; exit 1');
    expect(calls).toEqual([install]);
    expect(stderr).toContain('VS Code could not install /a b/x.vsix:\nNo space');
  });
});
