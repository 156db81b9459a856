import {compareRuns, type SelectedRun} from '../../core/compare/run-comparison.js';
import {compareMany} from '../../core/compare/run-matrix.js';
import {workKinds, type WorkKind} from '../../core/compare/work-groups.js';
import {oneOf, UsageError, type Command, type OptionValues} from '../command.js';
import {comparisonText, matrixText} from '../comparison-output.js';
import {loadComparedRun} from '../compared-file.js';
import {passOption, passUsage, selectionOptions, selectionUsage, selectionWithPass} from '../selection.js';

const needsFiles = 'compare needs two files or more: BASE CHANGED.';

/** `gpu-lens compare BASE CHANGED [MORE …]`: how the GPU work of profiles differs. */
export const compareCommand: Command = {
  name: 'compare',
  usage: `compare BASE[#step=N] CHANGED[#step=N] [MORE…] [--by ${workKinds.join('|')}]\n      ${selectionUsage} ${passUsage}`,
  summary: 'whether a change made the GPU work faster: by range, module, operator, kernel class and kernel',
  options: {by: {type: 'string'}, ...passOption, ...selectionOptions},
  async run(context, files, options) {
    if (files.length < 2) throw new UsageError(needsFiles);
    const kinds = kindsOf(options);
    const selection = selectionWithPass(options);
    const runs: SelectedRun[] = [];
    for (const file of files) runs.push(await loadComparedRun(file, selection));
    const [base, changed] = runs;
    if (!base || !changed) throw new UsageError(needsFiles);
    if (runs.length > 2) {
      context.write(matrixText(compareMany(runs, kinds), files, context.format));
      return;
    }
    const comparison = compareRuns(base, changed, kinds);
    context.write(comparisonText(comparison, context.format));
  },
};

function kindsOf({by}: OptionValues): readonly WorkKind[] {
  return by === undefined ? workKinds : [oneOf('by', by, workKinds, 'range')];
}
