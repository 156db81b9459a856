import {styleText} from 'node:util';
import {oneLine} from '../core/format/cells.js';
import {UsageError, type OptionValues} from './command.js';
import {environmentVariable} from './environment-variable.js';

/** How much a command writes to standard error besides errors. */
export const talkOptions = {
  quiet: {type: 'boolean', short: 'q'},
  verbose: {type: 'boolean', short: 'v'},
} as const;

type Verbosity = 'quiet' | 'usual' | 'verbose';

/** The destination: standard error, or its replacement. */
export type TalkStream = Pick<NodeJS.WriteStream, 'isTTY' | 'hasColors' | 'write'>;

let verbosity: Verbosity = 'usual';

/** Sets how much is written from now on. @throws UsageError if both are given */
export function chooseVerbosity({quiet, verbose}: OptionValues): void {
  if (quiet === true && verbose === true) throw new UsageError('--quiet and --verbose exclude each other.');
  verbosity = quiet === true ? 'quiet' : verbose === true ? 'verbose' : 'usual';
}

/** Returns whether stacks of errors are written: with `--verbose`, or `GPU_LENS_DEBUG`. */
export function showsErrorStory(): boolean {
  return verbosity === 'verbose' || environmentVariable('GPU_LENS_DEBUG') !== null;
}

/** Whether standard error is a terminal on which a line may change, and the user wants to see it. */
export function hasProgressLine(): boolean {
  return process.stderr.isTTY && verbosity !== 'quiet';
}

/** Writes a message. Its first word is red if it says what failed, where the terminal has colours and `NO_COLOR` is not set. */
export function tell(text: string, kind: 'plain' | 'failure' = 'plain', stream: TalkStream = process.stderr): void {
  const line = oneLine(text);
  const [, head = '', rest = line] = /^(gpu-lens:)(.*)$/s.exec(line) ?? [];
  const isRed = kind === 'failure' && head !== '' && stream.isTTY && stream.hasColors();
  stream.write(`${isRed ? styleText('red', head, {validateStream: false}) : head}${rest}\n`);
}

/** Writes a note about missing or unread data; nothing with `--quiet`. */
export function tellNote(text: string): void {
  if (verbosity !== 'quiet') tell(`Note: ${text}`);
}

/** Writes progress: on a terminal, and with `--verbose` into a log, too. */
export function tellProgress(text: string): void {
  if (verbosity === 'verbose' || hasProgressLine()) tell(text);
}
