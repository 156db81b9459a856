import {realpathSync, statSync} from 'node:fs';
import {resolve} from 'node:path';
import {isBelow} from '../is-below.js';

/** What a client may reach: folders to read below, and commands to run. */
export interface Limits {
  /** Real paths of folders; relative paths are taken from the first. */
  readonly roots: readonly string[];
  /** Commands, as words; whatever begins with the words of one may be run. */
  readonly allowed: readonly (readonly string[])[];
  /** The interpreter of runs, whose folder comes first on their PATH; null for that of this process. */
  readonly python: string | null;
  /** What the client calls itself; empty where it does not say. */
  readonly client: string;
}

/** A request that cannot be answered, in one sentence. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** Returns the real path of a file below the roots: symbolic links are followed first. @throws RefusedError */
export function confinedPath({roots}: Pick<Limits, 'roots'>, path: string): string {
  const [first] = roots;
  let real: string;
  try {
    real = realpathSync(resolve(first ?? '.', path));
  } catch {
    throw new RefusedError('There is no such file below the folders that may be read.');
  }
  if (!roots.some(root => isBelow(root, real)))
    throw new RefusedError('There is no such file below the folders that may be read.');
  if (statSync(real).isDirectory()) throw new RefusedError('That is a folder: name a profile in it.');
  return real;
}

/** Throws where a command is not one that may be run. @throws RefusedError */
export function checkAllowed({allowed}: Pick<Limits, 'allowed'>, command: readonly string[]): void {
  const isAllowed = allowed.some(words => words.length > 0 && words.every((word, at) => word === command[at]));
  if (!isAllowed) {
    throw new RefusedError('This command may not be run: a person allows it with gpu-lens mcp --allow-run "COMMAND".');
  }
}
