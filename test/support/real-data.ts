import {existsSync, readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * The folder of real profiles, which are not part of the project: GPU_LENS_DATA, else the folder beside the checkout.
 * An empty GPU_LENS_DATA means that there are none.
 */
export const dataFolder = process.env['GPU_LENS_DATA'] ?? join(checkout, '..', 'shared', 'data');

/** Whether the folder exists. Tests that need it are skipped without it, and report that. */
export const hasData = dataFolder !== '' && existsSync(join(dataFolder, 'kineto'));

/** Why tests of real profiles are skipped. */
export const noData =
  dataFolder === ''
    ? 'GPU_LENS_DATA is empty: there are no real profiles.'
    : `The real profiles are not at ${dataFolder} (set GPU_LENS_DATA).`;

if (!hasData) console.warn(`Skipped: ${noData}`);

/** Returns the files of a subfolder with an ending, by name; none without the data. */
export function dataFiles(folder: string, ending: string): {name: string; path: string}[] {
  if (!hasData) return [];
  const names = readdirSync(join(dataFolder, folder)).filter(name => name.endsWith(ending));
  return names.sort().map(name => ({name, path: join(dataFolder, folder, name)}));
}
