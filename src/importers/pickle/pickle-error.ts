import {TraceError} from '../../core/base/errors.js';
import {say} from '../../core/base/say.js';

/** Returns the error for an invalid pickle. @param what is wrong with it, translated */
export function damagedPickle(what: string): TraceError {
  return new TraceError('import/damaged', say('The pickle is damaged: {0}.', what));
}
