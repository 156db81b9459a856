import type {RecordedSnapshot} from './profile-result.js';
import type {RunOutcome} from './run-outcome.js';

/** Returns the memory snapshots of a run, out-of-memory ones first. */
export function snapshotsOf({snapshots}: RunOutcome): RecordedSnapshot[] {
  return snapshots
    .map(({path, rank, why}) => ({path, rank, isOutOfMemory: why === 'out-of-memory'}))
    .toSorted((a, b) => Number(b.isOutOfMemory) - Number(a.isOutOfMemory));
}

/** Returns a sentence the user must read about the snapshots; null if they are as expected. */
export function snapshotsNote({snapshots, importedTorch}: RunOutcome, wanted: boolean): string | null {
  if (wanted && importedTorch && snapshots.length === 0) {
    return 'No memory snapshot was written, because the script used no GPU whose allocations PyTorch can follow: the trace has the allocations of the CPU.';
  }
  const full = snapshots.find(({why}) => why === 'out-of-memory');
  if (!full) return null;
  const who = full.rank === null ? 'The GPU' : `The GPU of rank ${String(full.rank)}`;
  return `${who} ran out of memory: the snapshot shows the lines that held it then.`;
}
