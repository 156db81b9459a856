import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {dataFolder} from './real-data.js';

const folder = join(dataFolder, '..', 'seeds');

/** Whether the folder of real texts exists. Tests that need it are skipped without it, and report that. */
export const hasSeeds = dataFolder !== '' && existsSync(folder);

if (!hasSeeds) console.warn(`Skipped: the kept texts are not at ${folder} (set GPU_LENS_DATA).`);

/** Returns the path of the text with this number: "003". */
export function seedPath(number: string): string {
  return join(folder, readdirSync(folder).find(name => name.startsWith(`${number}_`)) ?? number);
}
