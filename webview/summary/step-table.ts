import {formatDuration} from '../../src/core/format/duration.js';
import {columnName} from '../../src/core/summary/summary-text.js';
import type {StepColumn} from '../../src/core/summary/step-columns.js';
import {partMeaning, partTitle} from '../../src/core/summary/time-parts.js';
import type {TimeSummary} from '../../src/core/summary/time-summary.js';
import {RowGrid, type RowColumn, type RowGridContext} from '../shared/grid/row-grid.js';
import {t} from '../shared/translate.js';
import {exactNs} from './exact-ns.js';

/** Returns the chart of steps as a table. */
export function stepTable({columns, parts}: TimeSummary, grids: RowGridContext): HTMLElement {
  const time = (title: string, about: string, ns: (step: StepColumn) => number): RowColumn<StepColumn> => ({
    ...{title, about, value: ns},
    text: step => formatDuration(ns(step)),
    whole: step => exactNs(ns(step)),
  });
  const grid = new RowGrid(
    t('Steps'),
    [
      {title: t('Step'), value: ({firstNumber}) => firstNumber, text: columnName},
      time(t('Time'), t('Time'), ({lengthNs}) => lengthNs),
      ...parts.map(({part}, at) => time(partTitle(part), partMeaning(part), ({ns}) => ns[at])),
    ],
    columns,
    grids,
  );
  grid.element.classList.add('inline');
  return grid.element;
}
