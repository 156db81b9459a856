import {greatest} from '../../core/table/extremes.js';
import {sampleTitle} from '../../core/trace/text-table.js';
import {mostColumns, type RawTable} from './raw-table.js';

const mostLines = 10_000;
const mostSamples = 100_000;
/** The rest of a longer line is ignored. */
const longestLine = 5000;

/** An array of numbers as NumPy prints it, over any number of lines. */
interface Series {
  readonly label: string;
  readonly values: readonly string[];
  readonly endLine: number;
}

/**
 * Reads labelled arrays of numbers in consecutive lines: one column per array, one row per sample. Null if none begins
 * at `at`; arrays of whole numbers are shapes, not measurements.
 *
 *     forward [139.71225545 139.52491432
 *      139.58601654]
 */
export function readSeries(lines: readonly string[], at: number): RawTable | null {
  const found: Series[] = [];
  let line = at;
  while (found.length < mostColumns - 1) {
    const series = seriesAt(lines, line);
    if (!series) break;
    found.push(series);
    line = series.endLine;
  }
  if (found.length === 0) return null;
  const length = greatest(found.map(({values}) => values.length));
  return {
    firstLine: at,
    endLine: line,
    headers: [sampleTitle, ...found.map(({label}) => label)],
    rows: Array.from({length}, (_, row) => [String(row + 1), ...found.map(({values}) => values.at(row) ?? '')]),
    badLines: [],
  };
}

function seriesAt(lines: readonly string[], at: number): Series | null {
  const start = seriesStart((lines.at(at) ?? '').slice(0, longestLine));
  if (!start) return null;
  const parts = [start.numbers];
  let end = at + 1;
  for (let {isOpen} = start; isOpen; end++) {
    const line = lines.at(end)?.slice(0, longestLine).trim();
    if (line === undefined || end - at > mostLines || !/^(?:[\d.eE+,\s-]+\]?|\])$/.test(line)) return null;
    parts.push(line.replace(']', ''));
    isOpen = !line.includes(']');
  }
  const values = parts
    .join(' ')
    .split(/[\s,]+/)
    .filter(text => text !== '');
  const isMeasured =
    values.length >= 3 && values.length <= mostSamples && values.every(text => Number.isFinite(Number(text)));
  return isMeasured && values.some(text => text.includes('.')) ? {label: start.label, values, endLine: end} : null;
}

interface SeriesStart {
  readonly label: string;
  readonly numbers: string;
  readonly isOpen: boolean;
}

/**
 * Splits a line at its bracket. A single expression would be ambiguous: three of its parts could match the same blanks.
 */
function seriesStart(line: string): SeriesStart | null {
  const bracket = line.indexOf('[');
  if (bracket < 0) return null;
  const head = line.slice(0, bracket).trim();
  const label = (/[:=]$/.test(head) ? head.slice(0, -1) : head).trimEnd();
  const rest = line.slice(bracket + 1).trim();
  const isOpen = !rest.endsWith(']');
  const numbers = isOpen ? rest : rest.slice(0, -1);
  if (!/^[A-Za-z][\w +/-]{0,60}$/.test(label) || !/^-?\d[\d.eE+,\s-]*$/.test(numbers)) return null;
  return {label, numbers, isOpen};
}

const figure =
  /^\s*(\S.{0,60}?) (mean|avg|average|std|std dev|standard deviation)(?: time)?\s*[:=]\s*(\d[\d.eE+-]{0,30}) ?(ns|us|µs|μs|ms|s)\s*$/i;

/** Reads lines of means and deviations; null if none begins at `at`: `Forward pass mean time: 20.95 ms`. */
export function readMeans(lines: readonly string[], at: number): RawTable | null {
  const rows = new Map<string, {mean: string; deviation: string}>();
  let line = at;
  for (; line < lines.length; line++) {
    const match = figure.exec(lines[line].slice(0, 200));
    if (!match) break;
    const [, name, what, value, unit] = match;
    const row = rows.get(name) ?? {mean: '', deviation: ''};
    rows.set(name, row);
    row[/^(mean|av)/i.test(what) ? 'mean' : 'deviation'] = `${value} ${unit}`;
  }
  if (rows.size === 0) return null;
  return {
    firstLine: at,
    endLine: line,
    headers: ['Name', 'Mean', 'StdDev'],
    rows: Array.from(rows, ([name, {mean, deviation}]) => [name, mean, deviation]),
    badLines: [],
  };
}
