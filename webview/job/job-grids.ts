import {formatDuration} from '../../src/core/format/duration.js';
import type {JobView} from '../../src/core/job/job-view.js';
import {formatBytes} from '../../src/core/memory-snapshot/format-bytes.js';
import {partTitle, timeParts, type TimePart} from '../../src/core/summary/time-parts.js';
import type {HeatGrid} from './heat-grid.js';
import {t} from '../shared/translate.js';

/** The measures by which ranks and steps are compared. */
export const stepMeasures = ['own', 'step', 'wait'] as const;
export type StepMeasure = (typeof stepMeasures)[number];

export const stepMeasureTexts: Readonly<Record<StepMeasure, string>> = {
  own: t('Step without waiting for other ranks'),
  step: t('Length of the step'),
  wait: t('Waiting for other ranks'),
};

const rankNames = ({report}: JobView): string[] => report.ranks.map(({rank}) => String(rank));

/** Returns the grid of ranks by steps. */
export function stepGrid(view: JobView, measure: StepMeasure): HeatGrid {
  const {stepNs, stepWaitNs} = view;
  const values = {
    step: () => stepNs,
    wait: () => stepWaitNs,
    own: () => stepNs.map((ns, cell) => ns - (Number.isNaN(stepWaitNs[cell]) ? 0 : stepWaitNs[cell])),
  }[measure]();
  return {
    label: t('Ranks by steps: {0}', stepMeasureTexts[measure]),
    ...{rowNoun: t('Rank'), columnNoun: t('step'), rows: rankNames(view), values, format: formatDuration},
    columns: view.report.steps.map(({step}) => String(step)),
  };
}

/** Returns the grid of ranks by the largest parts of their time; a rank whose profile lacks the parts has no values. */
export function partGrid(view: JobView): HeatGrid {
  const {ranks} = view.report;
  const parts = timeParts.filter(part => ranks.some(rank => nsOf(rank.parts, part) > 0));
  return {
    label: t('Where each rank’s time goes'),
    ...{rowNoun: t('Rank'), columnNoun: '', rows: rankNames(view), format: formatDuration},
    columns: parts.map(part => partTitle(part)),
    values: Float64Array.from(
      ranks.flatMap(rank => parts.map(part => (rank.parts.length === 0 ? NaN : nsOf(rank.parts, part)))),
    ),
  };
}

function nsOf(parts: JobView['report']['ranks'][number]['parts'], wanted: TimePart): number {
  return parts.find(({part}) => part === wanted)?.ns ?? 0;
}

/** Returns the grid of senders by receivers; null if no call has this information. */
export function trafficGrid({traffic}: JobView): HeatGrid | null {
  if (!traffic) return null;
  const {from, to, bytes} = traffic;
  return {
    label: t('Bytes from rank to rank'),
    ...{
      rowNoun: t('Rank'),
      columnNoun: t('to rank'),
      rows: from.map(String),
      columns: to.map(String),
      format: formatBytes,
    },
    // A rank sends nothing to itself.
    values: bytes.map((sent, cell) => (from[Math.floor(cell / to.length)] === to[cell % to.length] ? NaN : sent)),
  };
}
