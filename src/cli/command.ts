import type {OutputFormat} from './report.js';

/** What every command is given: where to write, and what the user chose for all commands. */
export interface CommandContext {
  readonly format: OutputFormat;
  /** Writes data to standard output. */
  write(text: string): void;
  /** Writes a message for people to standard error. */
  tell(text: string): void;
  /** The same for what a profile lacks or what was not read; nothing with `--quiet`. */
  tellNote(text: string): void;
  /** The same for what is only worth watching: nothing where standard error is no terminal, but with `--verbose`. */
  tellProgress(text: string): void;
  /** Ends the command line with a status of the command's own, though nothing failed. */
  exitWith(status: number): void;
}

/** Options as `node:util`'s `parseArgs` takes them. */
export type CommandOptions = Readonly<
  Record<string, {readonly type: 'string' | 'boolean'; readonly short?: string; readonly multiple?: true}>
>;

/** What the user gave for them; of an option that may come again, each value on a line of its own. */
export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

export interface Command {
  readonly name: string;
  /** What `gpu-lens --help` says of it: a few words, without a full stop. */
  readonly brief: string;
  /** How it is written, for its own help. */
  readonly usage: string;
  readonly summary: string;
  readonly options: CommandOptions;
  /** Whether its words are profiles, of which one may be `-`: standard input. */
  readonly readsProfiles?: true;
  /** What `--format` takes instead of the formats of tables; it is up to the command then. */
  readonly formats?: readonly string[];
  /** What its words can be, if they are no files. */
  readonly words?: readonly string[];
  /**
   * @throws UsageError for arguments that make no sense; any other error is a failure of the input or the job
   */
  run(context: CommandContext, files: readonly string[], options: OptionValues): Promise<void>;
}

/** The command line makes no sense: exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The value of an option that takes one of a few words. @throws UsageError */
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

/** The value of an option that takes a text; null where it is not given, or empty. */
export function textOption(value: string | boolean | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
