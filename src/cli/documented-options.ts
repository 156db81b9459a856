import {commonOptions} from './common-options.js';
import type {Command} from './command.js';
import {outputFormats} from './report.js';

/** An option as the help of a command writes it. */
export interface DocumentedOption {
  /** With its dashes: `--format`, or `-r` if it has no long name. */
  readonly name: string;
  /** What stands behind it; null if it takes no value. */
  readonly value: string | null;
  /** The values that can be typed as they are. */
  readonly words: readonly string[];
}

/** Returns the options that a command's usage shows, and those of every command; options that only the editor gives are left out. */
export function documentedOptions(command: Command): DocumentedOption[] {
  const {usage, options, formats = outputFormats} = command;
  const own = Object.entries(options).flatMap(([long, {type, short}]) => {
    const name = [`--${long}`, ...(short === undefined ? [] : [`-${short}`])].find(each => isIn(usage, each));
    if (name === undefined) return [];
    const value = type === 'string' ? valueBehind(usage, name) : null;
    return [{name, value, words: wordsOf(value)}];
  });
  const format = {name: '--format', value: formats.join('|'), words: formats};
  const common = Object.keys({...commonOptions, help: null})
    .filter(name => name !== 'format')
    .map(name => ({name: `--${name}`, value: name === 'memory-limit' ? 'MB' : null, words: []}));
  return [...own.filter(({name}) => name !== '--format'), format, ...common];
}

function isIn(usage: string, name: string): boolean {
  return new RegExp(`(^|[\\s[|])${name}(?![\\w-])`).test(usage);
}

/** Optional parts of a value are left out: of `RANGE[@DOMAIN]` it is `RANGE`. */
function valueBehind(usage: string, name: string): string {
  const [, value = 'VALUE'] = new RegExp(`(?:^|[\\s[|])${name}[ \\[]+([^\\s[\\]]+)`).exec(usage) ?? [];
  return value;
}

/** Of `auto|range:NAME` the first alone can be typed as it is. */
function wordsOf(value: string | null): string[] {
  return (value ?? '').includes('|') ? (value ?? '').split('|').filter(word => /^[\w.-]*[a-z][\w.-]*$/.test(word)) : [];
}
