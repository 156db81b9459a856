import {askWork} from '../gpu-work/ask-work.js';
import {hasSteps, workPart, type WorkPart} from '../gpu-work/work-part.js';
import type {WorkEntry} from '../gpu-work/work-entry.js';
import {comparability} from './comparability.js';
import type {RepeatedParts, Repeats} from './repeated-runs.js';
import type {SelectedRun} from './run-comparison-input.js';

/** A compared run, its part, and the work of that by kernel class. */
export interface ComparedSide {
  readonly run: SelectedRun;
  readonly part: WorkPart;
  readonly classes: readonly WorkEntry[];
}

/**
 * Returns the parts of repeated runs that are comparable with the run of their side. The same command may have run on
 * another GPU or with another version of PyTorch; such a run does not tell how much runs differ by chance. A
 * different amount of input data excludes no run, because each may draw its own.
 */
export function alikeRepeats({before, after}: Repeats, base: ComparedSide, changed: ComparedSide): RepeatedParts {
  return {before: before.flatMap(alikePart(base)), after: after.flatMap(alikePart(changed))};
}

function alikePart({run, part, classes}: ComparedSide): (other: SelectedRun) => readonly WorkPart[] {
  const isPerStep = part.steps > 0;
  return other => {
    if (isPerStep && !hasSteps(other.trace, other.selection)) return [];
    const own = workPart(other.trace, other.selection, isPerStep);
    const works = [classes, askWork(own, 'class').rows] as const;
    const {reasons} = comparability(run, other, part, own, works);
    return reasons.every(({code}) => code === 'input-bytes') ? [own] : [];
  };
}
