import {plural} from '../format/count.js';
import type {Trace, TraceNote} from '../trace/trace.js';
import {autogradOperators} from './autograd-operators.js';
import {linkForwardOperators} from './forward-operators.js';

/** The note on backward operators whose forward thread the file does not tell; none where it tells all. */
export function assumedThreadNotes(trace: Trace): TraceNote[] {
  const operators = autogradOperators(trace);
  if (!operators.forwardThread.some(thread => thread > 0)) return [];
  const {isAssumed} = linkForwardOperators(trace, operators);
  const count = isAssumed.reduce((sum, flag) => sum + flag, 0);
  if (count === 0) return [];
  const text =
    `${plural(count, 'backward operator')} fit forward operators of several threads, and the file does not say which: ` +
    (operators.areRanges
      ? 'the one that started last was assumed.'
      : 'threads were assumed to be numbered in the order in which they began to run operators.');
  return [{code: 'attribution/assumed-threads', text}];
}
