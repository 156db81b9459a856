import {existsSync, readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The folder of real profiles that are no part of the project: that of GPU_LENS_DATA, or the one beside the checkout. */
export const dataFolder = process.env['GPU_LENS_DATA'] ?? join(checkout, '..', 'shared', 'data');

/** Whether it is there. Tests that need it are skipped where it is not, and say so. */
export const hasData = existsSync(join(dataFolder, 'kineto'));

if (!hasData) console.warn(`Skipped: the real profiles are not at ${dataFolder} (set GPU_LENS_DATA).`);

/** The files of a folder of it with an ending, by name; none where the data is not there. */
export function dataFiles(folder: string, ending: string): {name: string; path: string}[] {
  if (!hasData) return [];
  const names = readdirSync(join(dataFolder, folder)).filter(name => name.endsWith(ending));
  return names.sort().map(name => ({name, path: join(dataFolder, folder, name)}));
}
