import {countedNote, type TraceNote} from '../trace/trace-note.js';
import type {Trace} from '../trace/trace.js';
import {autogradOperators, type AutogradOperators} from './autograd-operators.js';
import {linkForwardOperators} from './forward-operators.js';
import {tracksByFlows} from './forward-threads.js';

/** Returns the note on backward operators whose forward thread was assumed; none if the file names every thread. */
export function assumedThreadNotes(trace: Trace): TraceNote[] {
  const operators = autogradOperators(trace);
  if (!isAnyOpen(trace, operators)) return [];
  const {isAssumed} = linkForwardOperators(trace, operators);
  const count = isAssumed.reduce((sum, flag) => sum + flag, 0);
  if (count === 0) return [];
  const code = 'attribution/assumed-threads';
  return [
    operators.areRanges
      ? countedNote(
          code,
          count,
          '{0} backward operator fits forward operators of several threads. GPU Lens assumes the one that started last.',
          '{0} backward operators fit forward operators of several threads. GPU Lens assumes those that started last.',
        )
      : countedNote(
          code,
          count,
          '{0} backward operator fits forward operators of several threads. GPU Lens assumes that threads are numbered in the order in which they began to run operators.',
          '{0} backward operators fit forward operators of several threads. GPU Lens assumes that threads are numbered in the order in which they began to run operators.',
        ),
  ];
}

/** Returns whether flows leave a forward thread open that more than one track could be; false for most files. */
function isAnyOpen(trace: Trace, {slice, sequence, forwardThread, length}: AutogradOperators): boolean {
  const threads = new Set<number>();
  const forwardTracks = new Set<number>();
  for (let row = 0; row < length; row++) {
    if (!(sequence[row] >= 0)) continue;
    if (forwardThread[row] > 0) threads.add(forwardThread[row]);
    else forwardTracks.add(trace.slices.track[slice[row]]);
  }
  if (threads.size === 0 || forwardTracks.size < 2) return false;
  const known = tracksByFlows(trace, {slice, forwardThread});
  return [...threads].some(thread => !known.has(thread));
}
