import {release, takeInOrder} from '../table/table.js';
import {combineGroups} from './group-index.js';
import {gridSchema, type GridTable, type ReportDetails} from './report-details.js';

/**
 * Returns the distinct rows of a table that has a row per GPU operation, and the distinct row of each operation: of a
 * million kernels, few have a unique grid. Releases the table.
 */
export function distinctGrids(grids: GridTable): Required<Pick<ReportDetails, 'grids' | 'gridOf'>> {
  const {gridX, gridY, gridZ, blockX, blockY, blockZ} = grids;
  // A negative first key means no group, so the first key is 0 everywhere: operations without a grid form a group, too.
  const everywhere = new Int32Array(grids.length);
  const {groupOf, firstRow} = combineGroups([everywhere, gridX, gridY, gridZ, blockX, blockY, blockZ]);
  release(everywhere);
  return {grids: takeInOrder(gridSchema, grids, Uint32Array.from(firstRow)), gridOf: groupOf};
}
