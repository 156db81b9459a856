import {parseArgs} from 'node:util';
import {UsageError, type Command, type OptionValues} from './command.js';
import {commonOptions} from './common-options.js';
import {documentedOptions} from './documented-options.js';

/** The options and the other words of a command line. */
export interface ParsedLine {
  readonly values: OptionValues;
  readonly positionals: string[];
}

/**
 * Returns the options of a command and its other words, which end the line after `--`. A negative number is a value:
 * the option itself refuses it. Any other value that begins with a dash needs "=".
 *
 * @throws UsageError for an option that the command does not have, a missing value, and a value where none belongs
 */
export function parseOptions(command: Command, args: readonly string[]): ParsedLine {
  const options: Command['options'] = {...command.options, ...commonOptions};
  // Not strict: the errors of Node would be in its own words.
  const {values, positionals, tokens} = parseArgs({
    ...{args: [...args], options, allowPositionals: true},
    ...{strict: false, tokens: true},
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const {name, rawName, value} = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!option) throw new UsageError(`${command.name} has no option ${rawName}.`);
    if (option.type === 'boolean') {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value; not "${value}".`);
    } else if (value === undefined || (!token.inlineValue && looksLikeOption(value))) {
      throw new UsageError(missingValue(command, token, value === '--' ? undefined : value));
    }
  }
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join('\n') : value,
  ]);
  return {values: Object.fromEntries(entries) as OptionValues, positionals};
}

function looksLikeOption(value: string): boolean {
  return /^-[^\d.]/.test(value);
}

/** @param next the word behind the option, which looks like one; undefined if there is none */
function missingValue(
  command: Command,
  {name, rawName}: {readonly name: string; readonly rawName: string},
  next: string | undefined,
): string {
  const short = command.options[name]?.short ?? '';
  const names = [rawName, `--${name}`, `-${short}`];
  const value = documentedOptions(command).find(option => names.includes(option.name))?.value ?? null;
  const needed = `${rawName} needs a value${value === null ? '' : `: ${rawName} ${value}`}.`;
  return next === undefined || isOptionOf(command, next)
    ? needed
    : `${needed} A value that begins with a dash is written ${rawName}=${next}.`;
}

function isOptionOf({options}: Command, word: string): boolean {
  const [name = ''] = word.replace(/^--/, '').split('=');
  return Object.hasOwn({...options, ...commonOptions}, name);
}
