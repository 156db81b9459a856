import {createWriteStream, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pipeline} from 'node:stream/promises';

/**
 * The words of a command line with a file in the place of `-`: importers read files at more than one place at a time, so
 * that standard input is written into a temporary one, which is gone when the program ends.
 */
export async function withStandardInput(words: readonly string[]): Promise<readonly string[]> {
  if (!words.includes('-')) return words;
  const folder = mkdtempSync(join(tmpdir(), 'gpu-lens-'));
  process.on('exit', () => {
    rmSync(folder, {recursive: true, force: true});
  });
  const path = join(folder, 'standard-input');
  await pipeline(process.stdin, createWriteStream(path, {mode: 0o600}));
  return words.map(word => (word === '-' ? path : word));
}
