import {
  comparisonSections,
  sumsText,
  textColumns,
  type ComparisonSection,
} from '../../src/core/compare/comparison-sections.js';
import {noiseText} from '../../src/core/compare/comparison-text.js';
import type {RunComparison} from '../../src/core/compare/run-comparison.js';
import {element} from '../shared/dom.js';

/** The rows that changed most, a table for each kind; a change that was found stands out. */
export function changeTables(comparison: RunComparison): HTMLElement[] {
  return [
    ...comparisonSections(comparison).flatMap(sectionElements),
    element('p', {className: 'muted', text: sumsText}),
    element('p', {className: 'muted', text: noiseText(comparison.noise)}),
  ];
}

function sectionElements({title, columns, rows, rest}: ComparisonSection): HTMLElement[] {
  const head = columns.map((text, at) =>
    text === '' ? element('td') : element('th', {text, ...classAt(at), attributes: {scope: 'col'}}),
  );
  const body = rows.map(({row, cells}) =>
    element('tr', {
      children: cells.map((text, at) => {
        const isFound = textColumns.has(at) && at > 0 && (text === 'faster' || text === 'slower');
        const whole = at === 0 ? {attributes: {title: row.path}} : {};
        if (isFound) return element('td', {...classAt(at), children: [element('strong', {text})]});
        return element('td', {text, ...classAt(at), ...whole});
      }),
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

function classAt(at: number): {className?: string} {
  return textColumns.has(at) ? {className: 'text'} : {};
}
