import {TraceError} from '../../src/core/base/errors.js';
import {memoryGroupings} from '../../src/core/memory-snapshot/live-rows.js';
import {memoryReport} from '../../src/core/memory-snapshot/memory-report.js';
import {snapshotDevices} from '../../src/core/memory-snapshot/replay.js';
import {readPickle} from './read-snapshot.js';

/**
 * Reads a pickle that may be damaged, and runs every query on it. Returns the code of the error that it ends with, or
 * null. Rethrows other errors than `TraceError`, and throws if rows do not add up.
 */
export function readDamaged(bytes: Uint8Array): string | null {
  try {
    const snapshot = readPickle(bytes);
    if (!snapshot) return 'import/unknown-format';
    for (const device of snapshotDevices(snapshot)) {
      for (const by of memoryGroupings) {
        const report = memoryReport(snapshot, {device, at: 'peak', by});
        const sum = report?.rows.reduce((total, row) => total + row.bytes, 0) ?? 0;
        // Sums of sizes that were made huge are not exact.
        const isExact = sum < Number.MAX_SAFE_INTEGER;
        if (isExact && sum !== report?.at.allocatedBytes) throw new Error(`Rows by ${by} do not add up.`);
      }
    }
    return null;
  } catch (error) {
    if (!(error instanceof TraceError)) throw error;
    return error.code;
  }
}
