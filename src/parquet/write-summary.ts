import type {JobRank} from '../core/job/job-rank.js';
import {summaryColumns, summaryTable} from '../core/job/summary-table.js';
import {parquetBytes} from './write-parquet.js';

/** Yields the summary of a profile's ranks as a Parquet file, in pieces. */
export function summaryBytes(ranks: readonly JobRank[]): Iterable<Uint8Array> {
  const table = summaryTable(ranks);
  const columns = summaryColumns.map(
    ({name}) =>
      (row: number) =>
        table[name][row],
  );
  return parquetBytes(summaryColumns, [{length: table.kind.length, columns}]);
}
