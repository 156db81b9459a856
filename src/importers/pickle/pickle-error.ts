import {TraceError} from '../../core/base/errors.js';

/** Returns the error for an invalid pickle. */
export function damagedPickle(what: string): TraceError {
  return new TraceError('import/damaged', `The pickle is damaged: ${what}.`);
}
