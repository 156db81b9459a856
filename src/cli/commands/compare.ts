import {basename} from 'node:path';
import {checkBudgets, checkTotal, type BudgetResult, type WrittenBudget} from '../../core/compare/check-budgets.js';
import {compareFlames, type ComparedFlames} from '../../core/compare/compare-flames.js';
import {comparisonHtml} from '../../core/compare/comparison-html.js';
import {comparedParts, compareRuns, type RunComparison} from '../../core/compare/run-comparison.js';
import {haveShapes, type SelectedRun} from '../../core/compare/run-comparison-input.js';
import {comparePrinted, printedMatrix, type PrintedRun} from '../../core/compare/printed-runs.js';
import {noRepeats, type Repeats} from '../../core/compare/repeated-runs.js';
import {compareMany} from '../../core/compare/run-matrix.js';
import type {Selection} from '../../core/scope/selection.js';
import {workKinds, type WorkKind} from '../../core/gpu-work/work-groups.js';
import {oneOf, textOption, UsageError, type Command, type CommandContext, type OptionValues} from '../command.js';
import {budgetLine, comparisonText, matrixText} from '../comparison-output.js';
import {loadCompared, loadRepeats} from '../compared-file.js';
import {isBudgetFile, readBudgets} from '../read-budgets.js';
import {passOption, passUsage, selectionOptions, selectionUsage, selectionWithPass} from '../selection.js';

/** What `--check` exits with if not every budget holds. */
const checkStatus = {broken: 3, cannotTell: 4} as const;
const needsProfiles = '--html compares two profiles: BASE CHANGED.';
const needsFiles = 'compare needs two files or more: BASE CHANGED.';

/** `gpu-lens compare BASE CHANGED [MORE …]`: how the GPU work of profiles differs. */
export const compareCommand: Command = {
  name: 'compare',
  brief: 'Whether a change made the GPU work faster, and budgets',
  readsProfiles: true,
  usage: `compare BASE[#PART] CHANGED[#PART] [MORE…] [--by ${workKinds.join('|')}]\n      [--check [BUDGETS.json]] [--source DIR] [--noise runs|steps] [--shapes] [--html]\n      ${selectionUsage} ${passUsage}`,
  summary: `whether a change made the GPU work faster: by range, module, operator, kernel class and kernel
      PART is step=N, or window=FROM:TO in ns. commit:REV names the latest run in .gpu-lens of a git commit.`,
  options: {
    by: {type: 'string'},
    check: {type: 'boolean'},
    source: {type: 'string'},
    noise: {type: 'string'},
    html: {type: 'boolean'},
    shapes: {type: 'boolean'},
    ...passOption,
    ...selectionOptions,
  },
  async run(context, positionals, options) {
    const isCheck = options['check'] === true;
    const {files, budgetFile} = await sortFiles(positionals, isCheck);
    requireFiles(files, isCheck);
    const isPage = options['html'] === true;
    if (isPage) requirePage(context, files);
    const kinds = kindsOf(options);
    const selection = selectionWithPass(options);
    const budgets = isCheck ? await readBudgets(budgetFile, textOption(options['source'])) : null;
    const compared = await loadCompared(files, selection, options['shapes'] === true);
    if (compared.type === 'printed') {
      if (isPage) throw new UsageError(needsProfiles);
      writePrinted(context, compared.runs, kinds, isCheck);
      return;
    }
    const {runs} = compared;
    const [base, changed] = runs as readonly (SelectedRun | undefined)[];
    if (!base || !changed) throw new UsageError(needsFiles);
    if (runs.length > 2) {
      context.write(matrixText(compareMany(runs, kinds), files, context.format));
      return;
    }
    tellOfShapes(context, options, [base, changed]);
    const repeats = await repeatsOf(files, selection, options);
    const comparison = compareRuns(base, changed, kinds, repeats);
    const results = budgets && resultsOf(budgets, comparison, base, changed);
    if (isPage) {
      const canJudge = comparison.comparable.verdict !== 'no';
      const flames = compareFlames(base, changed, {}, comparison.noise.betweenRuns, canJudge);
      writePage(context, comparison, files, results ?? [], flames);
    } else writeRows(context, comparison, results);
    if (results) context.exitWith(statusOf(results));
  },
};

/** One text can contain several runs. @throws UsageError */
function requireFiles(files: readonly string[], isCheck: boolean): void {
  if (files.length === 0) throw new UsageError(needsFiles);
  if (isCheck && files.length > 2) {
    throw new UsageError(
      '--check compares two profiles, BASE CHANGED; a third file must be {"budgets": ["attention <= 12 ms/step"]}.',
    );
  }
}

function tellOfShapes(context: CommandContext, options: OptionValues, runs: readonly SelectedRun[]): void {
  if (options['shapes'] !== true || haveShapes(runs)) return;
  context.tell('gpu-lens: A profile has no recorded shapes (record_shapes=True): operators are matched by name.');
}

/** @throws UsageError */
function requirePage({format}: CommandContext, files: readonly string[]): void {
  if (files.length !== 2) throw new UsageError(needsProfiles);
  if (format !== 'table') throw new UsageError('--html is a format of its own: leave --format out.');
}

function writePage(
  context: CommandContext,
  comparison: RunComparison,
  [base = '', changed = '']: readonly string[],
  results: readonly BudgetResult[],
  flames: ComparedFlames,
): void {
  const names = [basename(base), basename(changed)] as const;
  context.write(comparisonHtml(comparison, names, results.map(budgetLine), flames));
}

/** A CSV has no place for budgets, so they are written to standard error. */
function writeRows(context: CommandContext, comparison: RunComparison, results: readonly BudgetResult[] | null): void {
  context.write(comparisonText(comparison, results, context.format));
  if (context.format === 'csv') for (const result of results ?? []) context.tell(budgetLine(result));
}

/** Two runs of texts as rows, more as columns. `--check` refuses printed sums. */
function writePrinted(
  context: CommandContext,
  runs: readonly PrintedRun[],
  kinds: readonly WorkKind[],
  isCheck: boolean,
): void {
  const [base, changed] = runs as readonly (PrintedRun | undefined)[];
  if (!base || !changed) {
    throw new UsageError('compare needs two runs or more, with tables of kernels (nsys) or operators (PyTorch).');
  }
  if (runs.length > 2) {
    if (isCheck) throw new UsageError('--check compares two runs: BASE CHANGED.');
    const names = runs.map(({name}) => name);
    context.write(matrixText(printedMatrix(runs, kinds), names, context.format));
    return;
  }
  const comparison = comparePrinted(base, changed, kinds);
  context.write(comparisonText(comparison, isCheck ? [checkTotal(comparison)] : null, context.format));
  if (isCheck) context.exitWith(checkStatus.cannotTell);
}

/** Other runs of the same code, unless `--noise steps` leaves them out. */
async function repeatsOf(files: readonly string[], selection: Selection, options: OptionValues): Promise<Repeats> {
  const from = oneOf('noise', options['noise'], ['runs', 'steps'] as const, 'runs');
  return from === 'runs' ? loadRepeats([files[0] ?? '', files[1] ?? ''], selection) : noRepeats;
}

function resultsOf(
  budgets: readonly WrittenBudget[],
  comparison: RunComparison,
  base: SelectedRun,
  changed: SelectedRun,
): readonly BudgetResult[] {
  if (budgets.length === 0) return [checkTotal(comparison)];
  return checkBudgets(budgets, comparison.comparable, ...comparedParts(base, changed), comparison.noise.betweenRuns);
}

/** A file of budgets can be anywhere among the profiles: `--check` uses it only if it is named. */
async function sortFiles(
  positionals: readonly string[],
  isCheck: boolean,
): Promise<{files: string[]; budgetFile: string | null}> {
  const files: string[] = [];
  let budgetFile: string | null = null;
  for (const file of positionals) {
    if (isCheck && budgetFile === null && (await isBudgetFile(file))) budgetFile = file;
    else files.push(file);
  }
  return {files, budgetFile};
}

function statusOf(results: readonly BudgetResult[]): number {
  if (results.some(({verdict}) => verdict === 'broken')) return checkStatus.broken;
  return results.some(({verdict}) => verdict === 'cannot tell') ? checkStatus.cannotTell : 0;
}

function kindsOf({by}: OptionValues): readonly WorkKind[] {
  return by === undefined ? workKinds : [oneOf('by', by, workKinds, 'range')];
}
