import {formatCount} from '../../core/format/count.js';
import {pushAll} from '../../core/table/extremes.js';
import {sliceKinds} from '../../core/trace/slices.js';
import {countedNote, noteOf, type TraceNote} from '../../core/trace/trace-note.js';
import type {Trace} from '../../core/trace/trace.js';
import {cutOffNote, negativeNote, noGpuWorkNote, notShownNote, untimedNote} from '../reading/shared-notes.js';
import type {ChromeTraceOutcome} from './chrome-trace-sink.js';

/** Events with invalid times. */
interface TimeFaults {
  readonly untimed: number;
  readonly negative: number;
  readonly unmatchedEnds: number;
  readonly unended: number;
}

interface Findings {
  readonly outcome: ChromeTraceOutcome;
  /** Why a compressed file was not read to its end, or null. */
  readonly loss: TraceNote | null;
  /** Events that are not shown, by their phase letter. */
  readonly notShown: ReadonlyMap<string, number>;
  readonly faults: TimeFaults;
  readonly gpuOperations: number;
  readonly isKineto: boolean;
  /** The name of the accelerator if it is not a GPU; null for GPUs. */
  readonly accelerator: string | null;
}

/** Returns the notes that a reader of this trace's figures needs. */
export function kinetoNotes({
  outcome,
  loss,
  notShown,
  faults,
  gpuOperations,
  isKineto,
  accelerator,
}: Findings): TraceNote[] {
  const notes: TraceNote[] = [];
  if (loss) notes.push(loss);
  else if (outcome.isTruncated) notes.push(cutOffNote());
  if (outcome.malformedEvents > 0) {
    notes.push(
      countedNote(
        'events/malformed',
        outcome.malformedEvents,
        '{0} event was left out because it is malformed JSON.',
        '{0} events were left out because they are malformed JSON.',
      ),
    );
  }
  if (outcome.hasTrailingData)
    notes.push(noteOf('file/trailing', 'There is more data after the end of the trace. GPU Lens did not read it.'));
  pushAll(notes, timeFaults(faults));
  const others = [...notShown.values()].reduce((total, count) => total + count, 0);
  if (others > 0) {
    const letters = [...notShown.keys()].sort().join(', ');
    notes.push(notShownNote('events/other-phases', others, `ph ${letters}`));
  }
  if (isKineto && gpuOperations === 0) {
    notes.push(noGpuWorkNote());
  }
  if (accelerator !== null) {
    notes.push(
      noteOf(
        'gpu/accelerator',
        'The accelerator in this profile is not a GPU ({0}), but GPU Lens calls it one. All of its operations count as GPU work, including waits for events.',
        accelerator,
      ),
    );
  }
  return notes;
}

function timeFaults({untimed, negative, unmatchedEnds, unended}: TimeFaults): TraceNote[] {
  const notes: TraceNote[] = [];
  if (untimed > 0) notes.push(untimedNote(untimed));
  if (negative > 0) notes.push(negativeNote(negative));
  if (unended > 0) {
    notes.push(
      countedNote(
        'ranges/open',
        unended,
        '{0} slice has a beginning but no end. GPU Lens ends it at the last event.',
        '{0} slices have a beginning but no end. GPU Lens ends them at the last event.',
      ),
    );
  }
  if (unmatchedEnds > 0) {
    notes.push(
      countedNote(
        'ranges/unopened',
        unmatchedEnds,
        '{0} end of a slice was left out because it has no beginning.',
        '{0} ends of slices were left out because they have no beginning.',
      ),
    );
  }
  return notes;
}

/** Returns the note on events with no or an invalid duration. `assumed` must contain only them. */
export function noDurationNotes({slices, assumed}: Pick<Trace, 'slices' | 'assumed'>): TraceNote[] {
  if (assumed.length === 0) return [];
  const counts = new Map<string, number>();
  for (const row of assumed) {
    const kind = sliceKinds[slices.kind[row]];
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const kinds = [...counts].map(([kind, count]) => `${kind} ${formatCount(count)}`).join(', ');
  return [
    countedNote(
      'events/no-duration',
      assumed.length,
      '{0} event has no duration that is a number ({1}). GPU Lens assumes 0 ns.',
      '{0} events have no duration that is a number ({1}). GPU Lens assumes 0 ns.',
      kinds,
    ),
  ];
}
