import {formatCount, plural} from '../../core/format/count.js';
import {sliceKinds} from '../../core/trace/slices.js';
import type {Trace, TraceNote} from '../../core/trace/trace.js';
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

type AddNote = (code: string, text: string) => void;

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
  const add: AddNote = (code, text) => notes.push({code, text});
  if (loss) notes.push(loss);
  else if (outcome.isTruncated) add('file/truncated', 'The file ends in the middle: the events before that are shown.');
  if (outcome.malformedEvents > 0) {
    add(
      'events/malformed',
      `${plural(outcome.malformedEvents, 'event')} could not be read (malformed JSON) and left out.`,
    );
  }
  if (outcome.hasTrailingData)
    add('file/trailing', 'There is more data after the end of the trace, which was not read.');
  addTimeFaults(faults, add);
  const others = [...notShown.values()].reduce((total, count) => total + count, 0);
  if (others > 0) {
    const letters = [...notShown.keys()].sort().join(', ');
    add('events/other-phases', `${plural(others, 'event')} of kinds that are not shown (ph ${letters}).`);
  }
  if (isKineto && gpuOperations === 0) {
    add('gpu/none', 'There is no GPU work in this profile: CPU time is shown instead.');
  }
  if (accelerator !== null) {
    add(
      'gpu/accelerator',
      `What is called GPU here is an accelerator of another kind (${accelerator}). All of its operations count as GPU work, waits for events among them.`,
    );
  }
  return notes;
}

function addTimeFaults({untimed, negative, unmatchedEnds, unended}: TimeFaults, add: AddNote): void {
  if (untimed > 0) {
    add(
      'events/untimed',
      `${plural(untimed, 'event')} without a usable time (none, or days from all others) left out.`,
    );
  }
  if (negative > 0) add('events/negative', `${plural(negative, 'event')} had a negative duration: shown with none.`);
  if (unended > 0) {
    add('ranges/open', `${plural(unended, 'slice')} had a beginning and no end: closed at the last event.`);
  }
  if (unmatchedEnds > 0)
    add('ranges/unopened', `${plural(unmatchedEnds, 'end')} of slices without a beginning left out.`);
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
  const text = `No duration that is a number: ${plural(assumed.length, 'event')} (${kinds}). 0 ns was assumed.`;
  return [{code: 'events/no-duration', text}];
}
