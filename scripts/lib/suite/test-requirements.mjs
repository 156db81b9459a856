// Checks what only the whole of `npm test` needs of a machine.
import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';

/** The tests that need less. */
export const runQuick = 'run "npm test -- --quick", which does without';

/** Returns a sentence if programs that the tests start are not on PATH, else null. */
export function whyNoPrograms(env = process.env, platform = process.platform) {
  if (platform === 'win32') return null;
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const missing = ['git', 'ps'].filter(name => !folders.some(folder => existsSync(join(folder, name))));
  if (missing.length === 0) return null;
  const packages = missing.map(name => (name === 'ps' ? 'procps' : name)).join(' ');
  const source =
    platform === 'darwin'
      ? 'install Apple’s tools with "xcode-select --install"'
      : `install it with "sudo apt-get install ${packages}" (Debian, Ubuntu)`;
  return `The tests need ${missing.join(' and ')}: ${source}, or ${runQuick}.`;
}

/** Returns a sentence if programs in the folder of temporary files do not start, else null. */
export function whyNoProgramsIn(folder = tmpdir(), platform = process.platform) {
  if (platform === 'win32') return null;
  let own;
  try {
    own = mkdtempSync(join(folder, '.gpu-lens-'));
  } catch {
    // Another check says that it cannot be written.
    return null;
  }
  try {
    const program = join(own, 'program');
    writeFileSync(program, '#!/bin/sh\n', {mode: 0o700});
    if (spawnSync(program).error?.code !== 'EACCES') return null;
    return `The folder of temporary files, ${folder}, lets no program start: set TMPDIR to one that does, as in "TMPDIR=$HOME npm test", or ${runQuick}.`;
  } finally {
    rmSync(own, {recursive: true, force: true});
  }
}
