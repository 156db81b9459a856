import {
  matrixLegend,
  matrixReasons,
  matrixSections,
  type MatrixSection,
} from '../../src/core/compare/matrix-sections.js';
import type {RunMatrix} from '../../src/core/compare/run-matrix.js';
import {element} from '../shared/dom.js';

/** Runs side by side, a table for each kind, with the best and the worst of each row marked. */
export function matrixTables(matrix: RunMatrix, names: readonly string[]): HTMLElement[] {
  return [
    ...matrixReasons(matrix, names).map(text => element('p', {text})),
    ...matrixSections(matrix).flatMap(section => sectionElements(section, names)),
    element('p', {className: 'muted', text: matrixLegend}),
  ];
}

function sectionElements({title, rows, rest}: MatrixSection, names: readonly string[]): HTMLElement[] {
  const head = [element('td'), ...names.map(text => element('th', {text, attributes: {scope: 'col', title: text}}))];
  const body = rows.map(({path, text, cells}) =>
    element('tr', {
      children: [
        element('td', {className: 'text', text, attributes: {title: path}}),
        // The word says what the letters show, to a screen reader and the mouse.
        ...cells.map(({text, mark}) =>
          mark === null
            ? element('td', {text})
            : element('td', {text, className: mark, attributes: {title: mark, 'aria-label': `${text}, ${mark}`}}),
        ),
      ],
    }),
  );
  return [
    element('h2', {text: title}),
    element('table', {
      attributes: {'aria-label': title},
      children: [element('thead', {children: [element('tr', {children: head})]}), element('tbody', {children: body})],
    }),
    ...(rest === null ? [] : [element('p', {className: 'muted', text: rest})]),
  ];
}
