import {say} from '../base/say.js';
import {plainCell, type LayoutTable} from './layout-table.js';
import {isFields, numberOrNull, textOrNull} from '../base/read-json.js';

/** The data types of a module, a tagged range, or the result of a step, with PyTorch's names: `bfloat16`. */
export interface PrecisionRow {
  readonly name: string;
  /** The module's class; `range`, `result`, or `backward` for casts outside any module. */
  readonly kind: string;
  /**
   * The number of identical modules, or openings of ranges, in the row: they share a name with `N` for their numbers.
   */
  readonly count: number;
  readonly parameters: readonly string[];
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly gradients: readonly string[];
  /** Casts of everything in the row. */
  readonly casts: readonly PrecisionCast[];
}

interface PrecisionCast {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

/** Parses the rows in a JSON value; omits invalid ones. */
export function parsePrecisionRows(value: unknown): PrecisionRow[] {
  if (!Array.isArray(value)) return [];
  return (value as unknown[]).flatMap(row => {
    if (!isFields(row)) return [];
    const [name, kind] = [textOrNull(row['name']), textOrNull(row['kind'])];
    if (name === null || kind === null) return [];
    const {parameters, inputs, outputs, gradients, casts} = row;
    const types = {
      parameters: texts(parameters),
      inputs: texts(inputs),
      outputs: texts(outputs),
      gradients: texts(gradients),
    };
    return [{name, kind, count: numberOrNull(row['count']) ?? 1, ...types, casts: parseCasts(casts)}];
  });
}

/**
 * Returns the rows as a table: a type in each cell, several if several were seen.
 *
 * @see docs/metrics.md#precision-map
 */
export function precisionTable(rows: readonly PrecisionRow[]): LayoutTable {
  const text = (title: string) => ({group: '', title, isNumber: false});
  return {
    title: say('Precision map'),
    columns: [
      ...[say('Module or range'), say('Kind')].map(text),
      {group: '', title: say('Count'), isNumber: true},
      ...[say('Parameters'), say('Inputs'), say('Outputs'), say('Gradients'), say('Casts')].map(text),
    ],
    rows: rows.map(({name, kind, count, parameters, inputs, outputs, gradients, casts}) => [
      plainCell(name),
      plainCell(kind),
      plainCell(String(count), null, count),
      ...[parameters, inputs, outputs, gradients].map(types => plainCell(types.join(', '))),
      plainCell(casts.map(cast => `${cast.from} → ${cast.to} × ${String(cast.count)}`).join(', ')),
    ]),
  };
}

function parseCasts(value: unknown): PrecisionCast[] {
  if (!Array.isArray(value)) return [];
  return (value as unknown[]).flatMap(cast => {
    if (!isFields(cast)) return [];
    const [from, to, count] = [textOrNull(cast['from']), textOrNull(cast['to']), numberOrNull(cast['count'])];
    return from === null || to === null || count === null ? [] : [{from, to, count}];
  });
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
