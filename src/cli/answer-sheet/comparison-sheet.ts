import {basename} from 'node:path';
import {comparisonBars, comparisonFacts, comparisonTables} from '../../core/findings/answers/comparison-summary.js';
import {comparePrinted} from '../../core/compare/printed-runs.js';
import {compareRuns, type RunComparison} from '../../core/compare/run-comparison.js';
import {barsSvg} from '../../core/export/bars-svg.js';
import {answerCommands, shellText} from '../../core/findings/answers/answer-commands.js';
import {answerTables, sideBySide} from '../../core/findings/answers/answer-tables.js';
import {comparedFindings} from '../../core/findings/finding-table.js';
import {workKinds} from '../../core/gpu-work/work-groups.js';
import {UsageError} from '../command.js';
import {loadCompared, loadRepeats} from '../compared-file.js';
import {askProfile, type Asking} from './ask-profile.js';
import type {Sheet} from './sheet.js';

/**
 * Returns the answer sheet of two runs: how they differ, then the answers of both, side by side.
 *
 * @throws TraceError; UsageError if the texts do not contain two runs
 */
export async function comparisonSheet(base: string, changed: string, asking: Asking): Promise<Sheet> {
  const compared = await loadCompared([base, changed], {});
  const isPrinted = compared.type === 'printed';
  const comparison = isPrinted
    ? printedComparison(compared.runs)
    : await profileComparison(base, changed, compared.runs);
  const before = await askProfile(base, isPrinted, asking);
  const after = await askProfile(changed, isPrinted, asking);
  const bars = comparisonBars(comparison);
  const names = [nameOf(base, changed), nameOf(changed, base)] as const;
  return {
    summary: {
      title: `Report on ${names[1]} compared with ${names[0]}`,
      facts: comparisonFacts(comparison, names),
      tables: [
        ...comparisonTables(comparison),
        comparedFindings(before.findings, after.findings),
        ...answerTables(sideBySide(before.answers, after.answers)),
      ],
      picture: bars.length > 0 ? {title: 'What changed most', svg: barsSvg(bars)} : null,
    },
    commands: [
      {
        number: 0,
        about: 'How the runs differ: every row, and what its noise is told from.',
        command: `gpu-lens compare ${shellText(names[0])} ${shellText(names[1])}`,
      },
      ...answerCommands(before.answers, names[0]),
      ...answerCommands(after.answers, names[1]),
    ],
    more: [],
    notes: Array.from(new Set([...before.notes, ...after.notes])),
  };
}

/** Files with the same name in two folders keep their paths. */
const nameOf = (path: string, other: string): string => (basename(path) === basename(other) ? path : basename(path));

type Runs<Type> = Extract<Awaited<ReturnType<typeof loadCompared>>, {type: Type}>['runs'];

function printedComparison(runs: Runs<'printed'>): RunComparison {
  const [before, after, ...others] = runs;
  if (!before || !after || others.length > 0) {
    throw new UsageError(
      'A report compares two runs; these texts tell of another number. compare sets more side by side.',
    );
  }
  return comparePrinted(before, after, workKinds);
}

async function profileComparison(base: string, changed: string, runs: Runs<'profiles'>): Promise<RunComparison> {
  const [before, after] = runs;
  if (!before || !after) throw new UsageError('A report compares two profiles: BASE CHANGED.');
  return compareRuns(before, after, workKinds, await loadRepeats([base, changed], {}));
}
