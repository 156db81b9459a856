import {defaultUnpackedGB} from '../core/trace/unpacked-limit.js';
import {formats} from '../importers/formats.js';
import type {Command} from './command.js';
import {outputFormats} from './report.js';

/** Room for the names of commands, columns. */
const nameColumns = 15;

/** What `gpu-lens --help` prints: every command with what it is for, and what holds for all of them. */
export function programHelp(commands: readonly Command[]): string {
  const lines = commands.map(({name, brief}) => `  ${name.padEnd(nameColumns)}${brief}\n`);
  return `Usage: gpu-lens COMMAND …

${lines.join('')}
gpu-lens COMMAND --help shows the options of a command, gpu-lens --version the version, gpu-lens help --man a manual page.
Nearly every command takes --format ${outputFormats.join('|')}. Use - as FILE to read standard input.

Profiles:
${formats.map(({help}) => `  ${help}\n`).join('')}Memory snapshots (.pickle) and memory timelines (.json) of PyTorch are for gpu-lens memory.

${commonHelp}`;
}

/** What `gpu-lens COMMAND --help` prints. Of a page, what holds for all commands stands in one place. */
export function commandHelp(
  {usage, summary, formats: own, readsProfiles}: Command,
  on: 'own' | 'page' = 'own',
): string {
  const format = own || !readsProfiles ? '' : `Also takes --format ${outputFormats.join('|')}.\n`;
  return `Usage: gpu-lens ${usage}\n\n${summary}\n${readsProfiles ? `\n${format}${on === 'own' ? commonHelp : ''}` : ''}`;
}

const commonHelp = `Compressed profiles are unpacked up to GPU_LENS_MAXIMUM_UNPACKED_GB (${String(defaultUnpackedGB)}).
An import holds up to --memory-limit MB (2,000): beyond it, what was read by then is given, with a note.
Names are written without control characters, marks of direction and what a spreadsheet takes for a formula; --exact
writes them as they are in the file.
--quiet (-q) leaves out progress and notes; --verbose (-v) writes progress into logs, too, and where an error came from.
Exit status: 0 done, 1 the input or the job failed, 2 wrong usage, 3 a check failed, 4 a check could not be decided;
profile has that of its command.
`;
