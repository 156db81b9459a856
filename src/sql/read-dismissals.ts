import {readFile, stat} from 'node:fs/promises';
import {parseDismissals, type Dismissals} from '../core/findings/dismissals.js';

/** The project's file, in the workspace folder. */
export const projectFile = '.gpu-lens.json';
/** A larger file is taken for a profile. */
const mostBytes = 1 << 20;

/** Returns the dismissals in a project's file; none if there is no such file. */
export async function readDismissals(path: string): Promise<Dismissals> {
  const stats = await stat(path).catch(() => null);
  if (!stats?.isFile()) return {dismissed: [], problems: []};
  if (stats.size > mostBytes) return {dismissed: [], problems: [`${path} is not read: it is longer than 1 MiB.`]};
  try {
    return parseDismissals(await readFile(path, 'utf8'), path);
  } catch (error) {
    return {
      dismissed: [],
      problems: [`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}.`],
    };
  }
}
