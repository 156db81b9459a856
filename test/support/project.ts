import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll} from 'vitest';

/** The checkout. */
export const project = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Returns a folder for the test file, which is removed after its tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-lens-test-'));
  afterAll(() => {
    rmSync(folder, {recursive: true, force: true});
  });
  return folder;
}
