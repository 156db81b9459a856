import {countedNote, noteOf, type TraceNote, type Wording} from '../../core/trace/trace-note.js';

/** Returns the note on a file that is cut off. */
export function cutOffNote(): TraceNote {
  return noteOf('file/truncated', 'The file is cut off. GPU Lens shows the events before the cut.');
}

/** Returns the note on a profile without GPU work. */
export function noGpuWorkNote(): TraceNote {
  return noteOf('gpu/none', 'There is no GPU work in this profile. GPU Lens shows CPU time instead.');
}

/** Returns the note on events without a usable time. */
export function untimedNote(count: number): TraceNote {
  return countedNote(
    'events/untimed',
    count,
    '{0} event was left out because it has no usable time (none, or days from all others).',
    '{0} events were left out because they have no usable time (none, or days from all others).',
  );
}

/** Returns the note on events with a negative duration. */
export function negativeNote(count: number): TraceNote {
  return countedNote(
    'events/negative',
    count,
    '{0} event has a negative duration. GPU Lens shows it with a duration of 0.',
    '{0} events have a negative duration. GPU Lens shows them with a duration of 0.',
  );
}

/** Returns the note on events of kinds that are not shown. @param kinds names of the kinds */
export function notShownNote(code: string, count: number, kinds: string | Wording): TraceNote {
  return countedNote(
    code,
    count,
    '{0} event was left out because GPU Lens does not show its kind ({1}).',
    '{0} events were left out because GPU Lens does not show their kinds ({1}).',
    kinds,
  );
}
