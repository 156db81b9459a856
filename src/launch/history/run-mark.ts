import {randomUUID} from 'node:crypto';
import {rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {markFileName, type RunMark} from './run-facts.js';

/** Writes a run's label and pin into its folder atomically. */
export async function writeRunMark(folder: string, mark: RunMark): Promise<void> {
  const path = join(folder, markFileName);
  const made = `${path}.${randomUUID()}`;
  await writeFile(made, JSON.stringify(mark), {mode: 0o600});
  await rename(made, path);
}
