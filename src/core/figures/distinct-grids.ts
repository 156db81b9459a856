import {release, takeInOrder} from '../table/table.js';
import {combineGroups} from './group-index.js';
import {gridSchema, type GridTable, type ReportDetails} from './report-details.js';

/**
 * The distinct rows of a table with a row per GPU operation, and which of them each operation has: of a million kernels few
 * have a grid of their own. Lets the table go.
 */
export function distinctGrids(grids: GridTable): Required<Pick<ReportDetails, 'grids' | 'gridOf'>> {
  const {gridX, gridY, gridZ, blockX, blockY, blockZ} = grids;
  // Rows below 0 in the first key are in no group: operations without a grid have one of their own, as all others.
  const everywhere = new Int32Array(grids.length);
  const {groupOf, firstRow} = combineGroups([everywhere, gridX, gridY, gridZ, blockX, blockY, blockZ]);
  release(everywhere);
  return {grids: takeInOrder(gridSchema, grids, Uint32Array.from(firstRow)), gridOf: groupOf};
}
