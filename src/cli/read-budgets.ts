import {existsSync} from 'node:fs';
import {readFile, stat} from 'node:fs/promises';
import {relative} from 'node:path';
import type {WrittenBudget} from '../core/compare/check-budgets.js';
import {isFields, type JsonFields} from '../core/base/read-json.js';
import {projectFile} from '../sql/read-dismissals.js';
import {sourceBudgets} from '../source/source-budgets.js';
import {UsageError} from './command.js';
import {requireSourceFolder, sourceFiles} from './sources.js';

/** A larger file is a profile. */
const mostBudgetBytes = 1 << 20;

/**
 * Returns the budgets to check: those of the file, else those of `.gpu-lens.json` in the working directory; with those of
 * comments in the source folder.
 *
 * @throws UsageError for a file that is not understood, since without its budgets the check could pass; TraceError `file/missing` for a folder that is none
 */
export async function readBudgets(file: string | null, sourceFolder: string | null): Promise<WrittenBudget[]> {
  const path = file ?? projectFile;
  const json = await (file === null ? projectJson() : budgetJson(file));
  if (json === null && file !== null)
    throw new UsageError(`${file} is not a file of budgets: {"budgets": ["attention <= 12 ms/step"]}.`);
  return [...(json === null ? [] : budgetsOf(json, path)), ...(await commentBudgets(sourceFolder))];
}

/** Returns what the project's file says; null if there is none, or it has no budgets. @throws UsageError */
async function projectJson(): Promise<JsonFields | null> {
  if (!existsSync(projectFile)) return null;
  const json = await smallJson(projectFile);
  if (json === null)
    throw new UsageError(`${projectFile} could not be read: it is not a JSON object of at most 1 MiB.`);
  return 'budgets' in json ? json : null;
}

/** Whether a file that is named on the command line has budgets; all others are profiles. */
export async function isBudgetFile(path: string): Promise<boolean> {
  return (await budgetJson(path)) !== null;
}

async function budgetJson(path: string): Promise<JsonFields | null> {
  const json = path.endsWith('.json') ? await smallJson(path) : null;
  return json !== null && 'budgets' in json ? json : null;
}

/** Returns the object in a file; null if it has none, cannot be read, or is larger than any file of budgets. */
async function smallJson(path: string): Promise<JsonFields | null> {
  const stats = await stat(path).catch(() => null);
  if (!stats?.isFile() || stats.size > mostBudgetBytes) return null;
  try {
    const json: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isFields(json) ? json : null;
  } catch {
    return null;
  }
}

function budgetsOf({budgets}: JsonFields, path: string): WrittenBudget[] {
  const isText = (one: unknown): one is string => typeof one === 'string';
  if (!Array.isArray(budgets) || !budgets.every(isText)) {
    throw new UsageError(`${path}: "budgets" must be a list of texts such as "attention <= 12 ms/step".`);
  }
  return budgets.map(text => ({text, place: path}));
}

/** `# gpu: attention <= 12 ms/step`; behind a line that opens a range, the name can be left out. */
async function commentBudgets(folder: string | null): Promise<WrittenBudget[]> {
  if (folder === null) return [];
  await requireSourceFolder(folder);
  const budgets: WrittenBudget[] = [];
  for await (const path of sourceFiles(folder)) {
    const text = await readFile(path, 'utf8').catch(() => '');
    const name = relative(folder, path);
    for (const {line, ...budget} of await sourceBudgets(path, text)) {
      budgets.push({...budget, place: `${name}:${String(line)}`});
    }
  }
  return budgets;
}
