import {
  matrixLegend,
  matrixReasons,
  matrixSections,
  type MatrixSection,
  type MatrixSectionRow,
} from '../../src/core/compare/matrix-sections.js';
import type {RunMatrix} from '../../src/core/compare/run-matrix.js';
import {bucketText} from '../../src/core/names/bucket-name.js';
import {element} from '../shared/dom.js';
import {t} from '../shared/translate.js';
import type {RowColumn, RowGridContext} from '../shared/grid/row-grid.js';
import {sectionGrid} from './section-grid.js';

/** Returns runs side by side, in one table per kind, with the best and the worst of each row marked. */
export function matrixTables(matrix: RunMatrix, names: readonly string[], grids: RowGridContext): HTMLElement[] {
  return [
    ...matrixReasons(matrix, names).map(text => element('p', {text})),
    ...matrixSections(matrix, Infinity).flatMap(section =>
      sectionGrid(section.title, columnsOf(section, names), section.rows, grids),
    ),
    element('p', {className: 'muted', text: matrixLegend()}),
  ];
}

function columnsOf({title}: MatrixSection, names: readonly string[]): RowColumn<MatrixSectionRow>[] {
  return [
    {title, isText: true, text: ({path}) => bucketText(path)},
    ...names.map((name, run): RowColumn<MatrixSectionRow> => ({
      // Two runs may have the same name.
      ...{id: `${name} ${String(run)}`, title: name},
      value: ({cells}) => cells[run].value,
      text: ({cells}) => cells[run].text,
      // The word tells a screen reader what the cell's style shows.
      look: ({cells}) => {
        const {text, mark} = cells[run];
        return mark === null
          ? {}
          : {className: mark, label: mark === 'best' ? t('{0}, best', text) : t('{0}, worst', text)};
      },
    })),
  ];
}
