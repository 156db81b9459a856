import {plural} from '../../core/format/count.js';
import type {TraceNote} from '../../core/trace/trace.js';
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
  const add = (code: string, text: string) => notes.push({code, text});
  if (loss) notes.push(loss);
  else if (isTruncated) add('file/truncated', 'The file ends in the middle: the events before that are shown.');
  else if (isDamaged)
    add('file/damaged', 'The file is damaged (it stops to be JSON): the events before that are shown.');
  const malformed = counts.malformed + tooLong;
  if (malformed > 0) {
    add(
      'events/malformed',
      `${plural(malformed, 'event')} could not be read (malformed JSON, or too long) and left out.`,
    );
  }
  if (counts.untimed > 0) {
    add(
      'events/untimed',
      `${plural(counts.untimed, 'event')} without a usable time (none, or days from all others) left out.`,
    );
  }
  if (counts.negative > 0) {
    add('events/negative', `${plural(counts.negative, 'event')} had a negative duration: shown with none.`);
  }
  if (counts.unnamedKernels > 0) {
    add(
      'kernels/unnamed',
      `The file has no name for ${plural(counts.unnamedKernels, 'kernel')}: their number is shown.`,
    );
  }
  if (counts.unknownAgents > 0) {
    add(
      'gpu/unknown',
      `The file does not describe the GPU of ${plural(counts.unknownAgents, 'kernel')}: GPU 0 was assumed.`,
    );
  }
  if (counts.notShown.size > 0) add('events/not-shown', notShownText(counts.notShown));
  if (!hasGpuWork) add('gpu/none', 'There is no GPU work in this profile: CPU time is shown instead.');
  return notes;
}

function notShownText(notShown: ReadonlyMap<string, number>): string {
  const counts = new Map<string, number>();
  for (const [list, count] of notShown) {
    const name = knownLists.has(list) ? list : 'other kinds';
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return `${plural(total, 'event')} of kinds that are not shown (${[...counts.keys()].sort().join(', ')}).`;
}
