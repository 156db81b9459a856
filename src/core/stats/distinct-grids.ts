import {takeInOrder} from '../table/table.js';
import {gridSchema, type GridTable, type ReportDetails} from './report-details.js';

const leastSlots = 1024;

/**
 * The distinct rows of a table with a row per GPU operation, and which of them each operation has: of a million kernels few
 * have a grid of their own. Lets the table go.
 */
export function distinctGrids(grids: GridTable): Required<Pick<ReportDetails, 'grids' | 'gridOf'>> {
  const gridOf = new Int32Array(grids.length);
  /** Grid → the first operation that has it. */
  const first: number[] = [];
  /** A hash table: grid + 1, 0 for an empty slot; half of them are empty. */
  let slots = new Int32Array(leastSlots);
  for (let operation = 0; operation < grids.length; operation++) {
    let slot = slotOf(grids, operation, first, slots);
    if (slots[slot] === 0) slots[slot] = first.push(operation);
    gridOf[operation] = slots[slot] - 1;
    if (first.length * 2 <= slots.length) continue;
    slots = new Int32Array(slots.length * 2);
    for (let grid = 0; grid < first.length; grid++) {
      slot = slotOf(grids, first[grid], first, slots);
      slots[slot] = grid + 1;
    }
  }
  return {grids: takeInOrder(gridSchema, grids, Uint32Array.from(first)), gridOf};
}

/** Where the grid of a row stands or would: slots behind one of another grid are tried in turn. */
function slotOf(
  {gridX, gridY, gridZ, blockX, blockY, blockZ}: GridTable,
  row: number,
  first: readonly number[],
  slots: Int32Array,
): number {
  const mask = slots.length - 1;
  let hash = Math.imul(gridX[row], 0x9e3779b1) ^ Math.imul(blockX[row], 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35) ^ Math.imul(gridY[row], 0x27d4eb2f);
  hash = Math.imul(hash ^ (hash >>> 13), 0x165667b1) ^ Math.imul(gridZ[row], 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) ^ (blockY[row] + 64 * blockZ[row]);
  for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
    if (slots[slot] === 0) return slot;
    const other = first[slots[slot] - 1];
    const isSameGrid = gridX[row] === gridX[other] && gridY[row] === gridY[other] && gridZ[row] === gridZ[other];
    if (!isSameGrid) continue;
    if (blockX[row] === blockX[other] && blockY[row] === blockY[other] && blockZ[row] === blockZ[other]) return slot;
  }
}
