import type {Estimate} from '../core/estimate/estimate.js';
import {
  estimateColumns,
  estimateTable,
  estimateTotal,
  type EstimateCell,
  type EstimateTable,
} from '../core/estimate/estimate-table.js';
import {pandasNumber} from '../core/estimate/notebook-text.js';
import {systemAsConfig} from '../core/estimate/system-config.js';
import type {Column} from './report.js';

/** An estimate as an object: the blocks by name, all layers together, and what it is an estimate of. */
export function estimateJson(estimate: Estimate): Readonly<Record<string, unknown>> {
  const {shape, system, parallelism, precision, variant} = estimate.input;
  return {
    ...Object.fromEntries(estimate.blocks.map(block => [block.name, estimateTable(block)])),
    total: estimateTotal(estimate),
    gpus: estimate.gpus,
    input: {model: shape, system: systemAsConfig(system), parallelism, precision, variant},
  };
}

/** A row of all blocks: a layer, or a block's sums over the depth. */
type Row = Readonly<Record<string, EstimateCell>>;

export function estimateRows(estimate: Estimate): Row[] {
  return estimate.blocks.flatMap(block => {
    const table: EstimateTable = estimateTable(block);
    const sums = {block: block.name, layer: `sum x ${String(table.depth)}`, ...table.sums};
    return [...table.rows.map(row => ({block: block.name, ...row})), sums];
  });
}

export const rowColumns: readonly Column<Row>[] = ['block', ...Object.keys(estimateColumns)].map(key => ({
  key,
  title: key,
  value: row => row[key] ?? null,
  text: row => {
    const cell = row[key] ?? null;
    return typeof cell === 'number' ? pandasNumber(cell) : (cell ?? '');
  },
}));
