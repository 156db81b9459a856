import {readdir, readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {describeError, TraceError} from '../core/base/errors.js';
import {ownRule} from '../core/findings/own-rule.js';
import type {Rule} from '../core/findings/rules/rule.js';

/** The folder of a team's rules, relative to the workspace folder. */
export const usualRuleFolder = join('.gpu-lens', 'rules');

/** More rules, or longer ones, are a mistake. */
const mostRules = 200;
const mostRuleBytes = 64 << 10;

/** The rules of a folder by name, and a sentence for each file that is not a rule. */
export interface OwnRules {
  readonly rules: readonly Rule[];
  readonly problems: readonly string[];
  /** The contents of the files: equal contents give equal findings. */
  readonly texts: readonly string[];
}

/**
 * Reads the rules of a folder: its files `*.sql`, but not those of subfolders. A missing folder has no rules.
 *
 * @throws TraceError `file/unreadable` if the folder cannot be read
 */
export async function readOwnRules(folder: string): Promise<OwnRules> {
  const names = (await namesIn(folder)).filter(name => name.endsWith('.sql')).sort();
  const rules: Rule[] = [];
  const texts: string[] = [];
  const problems =
    names.length > mostRules ? [`Only the first ${String(mostRules)} rules of ${folder} are asked.`] : [];
  for (const name of names.slice(0, mostRules)) {
    try {
      const text = await ruleText(join(folder, name));
      rules.push(ownRule(name.slice(0, -'.sql'.length), text));
      texts.push(`${name}\n${text}`);
    } catch (error) {
      problems.push(`The rule ${join(folder, name)} is not asked: ${describeError(error, 'sql/not-allowed').message}.`);
    }
  }
  return {rules, problems, texts};
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new TraceError('file/unreadable', `The folder of rules ${folder} cannot be read.`, {cause: error});
  }
}

/** Reads regular files only: a pipe or a device could block. */
async function ruleText(path: string): Promise<string> {
  const stats = await stat(path);
  if (!stats.isFile()) throw new TraceError('sql/not-allowed', 'it is not a file');
  if (stats.size > mostRuleBytes) throw new TraceError('sql/not-allowed', 'it is longer than 64 KiB');
  return readFile(path, 'utf8');
}
