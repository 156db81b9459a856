import type {OutputFormat} from './report.js';

/** The context of every command: outputs, and the options of all commands. */
export interface CommandContext {
  readonly format: OutputFormat;
  /** Writes data to standard output. */
  write(text: string): void;
  /** Writes a message for people to standard error. */
  tell(text: string): void;
  /** Writes a note about missing or unread data; nothing with `--quiet`. */
  tellNote(text: string): void;
  /** Writes progress: only if standard error is a terminal, or with `--verbose`. */
  tellProgress(text: string): void;
  /** Sets an exit status of the command's own, although nothing failed. */
  exitWith(status: number): void;
}

/** Options as `node:util`'s `parseArgs` takes them. */
export type CommandOptions = Readonly<
  Record<string, {readonly type: 'string' | 'boolean'; readonly short?: string; readonly multiple?: true}>
>;

/** The values of the options. Values of a repeated option are separated by line feeds. */
export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

export interface Command {
  readonly name: string;
  /** Its description in `gpu-lens --help`: a few words, without a full stop. */
  readonly brief: string;
  /** Its usage, for its own help. */
  readonly usage: string;
  readonly summary: string;
  readonly options: CommandOptions;
  /** Whether its arguments are profiles; one may be `-` for standard input. */
  readonly readsProfiles?: true;
  /** Whether it shows every note of a profile itself; of others, `tellLosses` tells what was not read. */
  readonly showsNotes?: true;
  /** The values of `--format` instead of the table formats; the command then handles them. */
  readonly formats?: readonly string[];
  /** The possible arguments, if they are not files. */
  readonly words?: readonly string[];
  /**
   * @throws UsageError for arguments that make no sense; any other error is a failure of the input or the job
   */
  run(context: CommandContext, files: readonly string[], options: OptionValues): Promise<void>;
}

/** The command line is wrong: exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Returns the value of an option that takes one of a few words. @throws UsageError */
export function oneOf<Word extends string>(
  option: string,
  value: string | boolean | undefined,
  words: readonly Word[],
  otherwise: Word,
): Word {
  if (value === undefined) return otherwise;
  const word = words.find(candidate => candidate === value);
  if (word === undefined) throw new UsageError(`--${option} takes ${words.join(', ')}; not "${String(value)}".`);
  return word;
}

/** Returns the value of an option that takes a text; null if it is absent or empty. */
export function textOption(value: string | boolean | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
