import {greatest} from '../table/extremes.js';
import {oneLine} from '../format/cells.js';
import {frameSeparator} from './key-averages-grouping.js';
import {displayText} from './report-text.js';
import type {Cell, Report, ReportColumn} from './report.js';

const widestName = 55;
const columnWidth = 12;
const widestShapes = 80;
const widestSource = 75;

/** The layout of a column: its width, the cell's texts one below the other, and the alignment. */
interface Layout {
  readonly width: number;
  readonly lines: (text: string) => readonly string[];
  readonly isLeft: boolean;
}

/**
 * Writes the table in PyTorch's layout: columns right-aligned except for frames, long texts cut, one frame per line,
 * and no columns that the profile has no data for.
 *
 * @see torch/autograd/profiler_util.py, _build_table
 */
export function* torchTable(report: Report): Generator<string> {
  const {columns, rows} = report;
  const footer = rows.footer ?? [];
  const shown = columns.flatMap((column, at) => (rows.idle?.has(column.title) ? [] : [{column, at}]));
  const layouts = shown.map(({column, at}) => layoutOf(column, textsOf(report, at)));
  const line = (cells: readonly string[]) => `${cells.map((cell, at) => `${padded(cell, layouts[at])}  `).join('')}\n`;
  const rule = line(layouts.map(({width}) => '-'.repeat(width)));
  const hasFrames = shown.some(({column}) => column.title === 'Source Location');
  yield rule;
  yield line(shown.map(({column}) => column.title));
  yield rule;
  for (let row = 0; row < rows.length; row++) {
    const cells = rows.cells(row);
    const texts = shown.map(({column, at}, place) => layouts[place].lines(textOf(cells[at], column)));
    const height = greatest(texts.map(lines => lines.length));
    for (let at = 0; at < height; at++) yield line(texts.map(lines => lines[at] ?? ''));
    if (hasFrames) yield line(shown.map(() => ''));
  }
  yield rule;
  for (const text of footer) yield `${text}\n`;
  yield '\n';
}

function textOf(cell: Cell, column: ReportColumn): string {
  return cell === null ? '--' : oneLine(displayText(cell, column));
}

/** Returns the texts of a column whose width follows its texts; none for other columns. */
function textsOf({columns, rows}: Report, column: number): string[] {
  if (!columns[column].isText) return [];
  return Array.from({length: rows.length}, (_, row) => textOf(rows.cells(row)[column], columns[column]));
}

function layoutOf({title, isText}: ReportColumn, texts: readonly string[]): Layout {
  const widthOf = (all: readonly string[], widest: number) =>
    Math.min(widest, all.reduce((most, text) => Math.max(most, Array.from(text).length), 0) + 4);
  if (!isText) return {width: columnWidth, lines: text => [text], isLeft: false};
  if (title === 'Input Shapes') {
    const width = widthOf(texts, widestShapes);
    return {width, lines: text => [Array.from(text).slice(0, width).join('')], isLeft: false};
  }
  if (title === 'Source Location') {
    const framesOf = (text: string) => text.split(frameSeparator);
    const width = widthOf(texts.flatMap(framesOf), widestSource);
    return {width, lines: text => framesOf(text).map(frame => endOf(frame, width)), isLeft: true};
  }
  return {width: widthOf(texts, widestName), lines: text => [startOf(text)], isLeft: false};
}

function startOf(name: string): string {
  const letters = Array.from(name);
  return letters.length >= widestName - 3 ? `${letters.slice(0, widestName - 3).join('')}...` : name;
}

/** Returns the end of a frame's text, as much as fits. */
function endOf(frame: string, width: number): string {
  const letters = Array.from(frame);
  return letters.length > width ? `...${letters.slice(letters.length - width + 3).join('')}` : frame;
}

/** Pads with blanks, counting characters rather than UTF-16 units. */
function padded(text: string, {width, isLeft}: Layout): string {
  const blanks = ' '.repeat(Math.max(0, width - Array.from(text).length));
  return isLeft ? text + blanks : blanks + text;
}
