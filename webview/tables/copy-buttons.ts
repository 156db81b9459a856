import type {ReportFormat} from '../../src/core/reports/report-text.js';
import {t} from '../shared/translate.js';
import {button} from '../shared/ui.js';

const formats: readonly (readonly [text: string, format: ReportFormat])[] = [
  [t('Copy as Markdown'), 'markdown'],
  [t('Copy as CSV'), 'csv'],
  [t('Copy as text'), 'table'],
];

/** Returns a button for each format in which a table is copied. */
export function copyButtons(copy: (format: ReportFormat) => void): HTMLElement[] {
  return formats.map(([text, format]) =>
    button(
      text,
      () => {
        copy(format);
      },
      'icon',
    ),
  );
}
