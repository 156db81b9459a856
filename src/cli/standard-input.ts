import {createWriteStream, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pipeline} from 'node:stream/promises';

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * The words of a command line with a file in the place of the first `-`: importers read files at more than one place at a
 * time, so that standard input is written into a temporary one, which is gone when the program ends.
 */
export async function withStandardInput(words: readonly string[]): Promise<readonly string[]> {
  const at = words.indexOf('-');
  if (at < 0) return words;
  let folder: string | null = null;
  const remove = () => {
    if (folder !== null) rmSync(folder, {recursive: true, force: true});
  };
  process.on('exit', remove);
  for (const signal of endingSignals) {
    process.once(signal, () => {
      remove();
      // Where nobody else ends the program, the signal does, as it would have.
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    });
  }
  // Created after the handlers, so that a signal always removes it.
  folder = mkdtempSync(join(tmpdir(), 'gpu-lens-'));
  const path = join(folder, 'standard-input');
  await pipeline(process.stdin, createWriteStream(path, {mode: 0o600}));
  return words.with(at, path);
}
