import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {dataFolder} from './real-data.js';

const folder = join(dataFolder, '..', 'seeds');

/** Whether the texts that people kept are there. Tests that need them are skipped where they are not, and say so. */
export const hasSeeds = dataFolder !== '' && existsSync(folder);

if (!hasSeeds) console.warn(`Skipped: the kept texts are not at ${folder} (set GPU_LENS_DATA).`);

/** The kept text with this number: "003". */
export function seedPath(number: string): string {
  return join(folder, readdirSync(folder).find(name => name.startsWith(`${number}_`)) ?? number);
}
