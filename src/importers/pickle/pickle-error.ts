import {TraceError} from '../../core/base/errors.js';

/** The error for a pickle that breaks its own rules at a byte of the unpacked file. */
export function damagedPickle(what: string): TraceError {
  return new TraceError('import/damaged', `The pickle is damaged: ${what}.`);
}
