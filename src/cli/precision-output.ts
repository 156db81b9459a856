import {layoutText, plainCell, type LayoutTable} from '../core/benchmark/layout-table.js';
import {pointText} from '../core/benchmark/point-text.js';
import {precisionTable} from '../core/benchmark/precision-map.js';
import type {PointPrecision} from '../launch/benchmark/precision-maps.js';
import type {OutputFormat} from './report.js';

/** Precision maps as text: a table for each point; CSV is one table with the points in its first column. */
export function precisionText(maps: readonly PointPrecision[], format: OutputFormat): string {
  if (format === 'json') return `${JSON.stringify(maps.map(jsonRow), null, 2)}\n`;
  const made = maps.filter(({error}) => error === null);
  if (format === 'csv') return layoutText(joined(made), 'csv');
  return made
    .map(({point, rows}) => {
      const title = pointText(point);
      const heading = format === 'markdown' ? `**${title}**` : title;
      return `${heading}\n\n${layoutText(precisionTable(rows), format)}`;
    })
    .join('\n');
}

function jsonRow({point, rows, error}: PointPrecision): object {
  const {contextLength, batch, pass, precision, device, compile} = point;
  const size = [point.variant, point.label].filter(text => text !== null && text !== '').join(' ');
  return {size, contextLength, batch, pass, precision, device, compile, rows, error};
}

function joined(maps: readonly PointPrecision[]): LayoutTable {
  const {title, columns} = precisionTable([]);
  return {
    title,
    columns: [{group: '', title: 'Point', isNumber: false}, ...columns],
    rows: maps.flatMap(({point, rows}) =>
      precisionTable(rows).rows.map(cells => [plainCell(pointText(point)), ...cells]),
    ),
  };
}
