import {countedNote, noteOf, wordingOf, type TraceNote} from '../../core/trace/trace-note.js';
import {cutOffNote, negativeNote, noGpuWorkNote, notShownNote, untimedNote} from '../reading/shared-notes.js';
import type {FileCounts} from './rocprof-file.js';

interface Findings {
  readonly counts: FileCounts;
  /** Why the file was not read to its end, or null. */
  readonly loss: TraceNote | null;
  readonly isTruncated: boolean;
  readonly isDamaged: boolean;
  /** Number of values that were too long to be read. */
  readonly tooLong: number;
  readonly hasGpuWork: boolean;
}

/** Lists that a note names; others are counted together, since their names may be anything. */
const knownLists = new Set([
  ...['memory_allocation', 'scratch_memory', 'pc_sample_host_trap', 'pc_sample_stochastic', 'ompt', 'hip_stream'],
  ...['page_migration', 'kfd_page_migrate', 'kfd_page_fault', 'kfd_queue'],
]);

/** Returns the notes that a reader of this trace's figures needs. */
export function rocprofNotes({counts, loss, isTruncated, isDamaged, tooLong, hasGpuWork}: Findings): TraceNote[] {
  const notes: TraceNote[] = [];
  if (loss) notes.push(loss);
  else if (isTruncated) notes.push(cutOffNote());
  else if (isDamaged)
    notes.push(
      noteOf('file/damaged', 'The file is damaged: it contains invalid JSON. GPU Lens shows the events before that.'),
    );
  const malformed = counts.malformed + tooLong;
  if (malformed > 0) {
    notes.push(
      countedNote(
        'events/malformed',
        malformed,
        '{0} event was left out because it is malformed JSON or too long.',
        '{0} events were left out because they are malformed JSON or too long.',
      ),
    );
  }
  if (counts.untimed > 0) notes.push(untimedNote(counts.untimed));
  if (counts.negative > 0) notes.push(negativeNote(counts.negative));
  if (counts.unnamedKernels > 0) {
    notes.push(
      countedNote(
        'kernels/unnamed',
        counts.unnamedKernels,
        'The file has no name for {0} kernel. GPU Lens shows its number.',
        'The file has no names for {0} kernels. GPU Lens shows their numbers.',
      ),
    );
  }
  if (counts.unknownAgents > 0) {
    notes.push(
      countedNote(
        'gpu/unknown',
        counts.unknownAgents,
        'The file does not describe the GPU of {0} kernel. GPU Lens assumes GPU 0.',
        'The file does not describe the GPU of {0} kernels. GPU Lens assumes GPU 0.',
      ),
    );
  }
  if (counts.notShown.size > 0) notes.push(eventsNotShown(counts.notShown));
  if (!hasGpuWork) notes.push(noGpuWorkNote());
  return notes;
}

function eventsNotShown(notShown: ReadonlyMap<string, number>): TraceNote {
  const lists = [...notShown.keys()];
  const known = lists
    .filter(list => knownLists.has(list))
    .sort()
    .join(', ');
  const others = known === '' ? wordingOf('other kinds') : wordingOf('{0}, other kinds', known);
  const total = [...notShown.values()].reduce((sum, count) => sum + count, 0);
  return notShownNote('events/not-shown', total, lists.every(list => knownLists.has(list)) ? known : others);
}
