import {bucketText} from '../../src/core/names/bucket-name.js';
import {comparisonSections, isFound, sumsText, type ChangeColumn} from '../../src/core/compare/comparison-sections.js';
import {noiseText} from '../../src/core/compare/comparison-text.js';
import type {ComparisonRow, RunComparison} from '../../src/core/compare/run-comparison.js';
import {element} from '../shared/dom.js';
import type {RowColumn, RowGridContext} from '../shared/grid/row-grid.js';
import {sectionGrid} from './section-grid.js';

/**
 * Returns one table per kind with all rows, those with the largest change first; significant changes are highlighted.
 */
export function changeTables(comparison: RunComparison, grids: RowGridContext): HTMLElement[] {
  return [
    ...comparisonSections(comparison, Infinity).flatMap(({title, columns, rows}) =>
      sectionGrid(
        title,
        columns.map((column, at) => (at === 0 ? pathColumn(title) : columnOf(column))),
        rows,
        grids,
      ),
    ),
    element('p', {className: 'muted', text: sumsText()}),
    element('p', {className: 'muted', text: noiseText(comparison.noise)}),
  ];
}

function pathColumn(title: string): RowColumn<ComparisonRow> {
  return {title, isText: true, text: ({path}) => bucketText(path)};
}

function columnOf({title, isText, isVerdict = false, text, value}: ChangeColumn): RowColumn<ComparisonRow> {
  if (!isText) return {title, text, value};
  return {title, text, isText, look: row => (isVerdict && isFound(row) ? {className: 'found'} : {})};
}
