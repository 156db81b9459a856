import {greatest, pushAll} from '../table/extremes.js';
import type {Estimate} from './estimate.js';
import {printedFixed} from '../format/printed-fixed.js';
import {estimateColumns, estimateTable, estimateTotal, type EstimateCell, type EstimateSums} from './estimate-table.js';

/** The notebook's names for the blocks. */
const blockTitles = {mlp: 'MLP', moe: 'MoE', attention: 'SA'} as const;

/**
 * Formats a number as pandas does in a table: rounded to six decimals, trailing zeros cut, small ones with an exponent.
 *
 *     0.6184752906 → 0.618475        2.5165824e-05 → 2.5e-05        4 → 4.0
 */
export function pandasNumber(value: number): string {
  const rounded = Number(printedFixed(value, 6));
  if (rounded !== 0 && Math.abs(rounded) < 1e-4) {
    return rounded.toExponential().replace(/e-(\d)$/, 'e-0$1');
  }
  return Number.isInteger(rounded) ? rounded.toFixed(1) : String(rounded);
}

/** Formats an estimate as the notebook prints it, so that both can be compared. */
export function notebookText(estimate: Estimate): string {
  const {shape, parallelism} = estimate.input;
  const {batch, length, embedding, heads, depth} = shape;
  const lines = [
    `model: batch size = ${String(batch)}, seq length = ${String(length)}, embed = ${String(embedding)}, attention heads = ${String(heads)}, depth = ${String(depth)}`,
    parallelism.kind === '1D' && parallelism.tensor === parallelism.sequence && parallelism.expert === 1
      ? `parallelization: m1 = ${String(parallelism.tensor)}, m2 = 1`
      : `parallelization: ${Object.entries(parallelism)
          .map(([name, value]) => `${name} = ${String(value)}`)
          .join(', ')}`,
  ];
  for (const block of estimate.blocks) {
    const table = estimateTable(block);
    lines.push('', `************** ${blockTitles[block.name]} layer estimates **************`, '');
    pushAll(lines, [...tableLines(table.rows.map(row => Object.values(row))), '', ...sumLines(table.sums), '']);
    lines.push(`time spend in comms = ${String(table.commFraction)}`);
  }
  const total = estimateTotal(estimate);
  pushAll(lines, ['', `************** all ${String(depth)} layers **************`, '', ...sumLines(total.sums), '']);
  lines.push(`time spend in comms = ${String(total.commFraction)}`);
  return `${lines.join('\n')}\n`;
}

function tableLines(rows: readonly (readonly EstimateCell[])[]): string[] {
  const head = ['', ...Object.keys(estimateColumns)];
  const body = rows.map((row, at) => [String(at), ...row.map(cellText)]);
  const widths = head.map((name, column) =>
    Math.max(name.length, greatest(body.map(row => (row[column] ?? '').length))),
  );
  return [head, ...body].map(row => row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '));
}

function cellText(cell: EstimateCell): string {
  if (cell === null) return '';
  return typeof cell === 'number' ? pandasNumber(cell) : cell;
}

/** Formats names on the left, and six decimals on the right, as pandas prints a series. */
function sumLines(sums: EstimateSums): string[] {
  const entries = Object.entries(sums).map(([name, value]) => [name, printedFixed(value, 6)] as const);
  const nameWidth = greatest(entries.map(([name]) => name.length));
  const valueWidth = greatest(entries.map(([, value]) => value.length));
  return entries.map(([name, value]) => `${name.padEnd(nameWidth)}    ${value.padStart(valueWidth)}`);
}
