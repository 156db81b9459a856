import {TraceError} from '../../core/base/errors.js';

/**
 * Returns the error `launch/nsys-failed`: what failed, and the last line that the program printed, at most 300
 * characters of it. Lines of its progress bar, which have a percentage, are no reason.
 *
 * @param what the beginning of a sentence, without a colon
 * @param output all that the program printed
 */
export function nsysFailure(what: string, output: string): TraceError {
  const reason = output
    .split(/[\r\n]+/)
    .filter(line => line.trim() !== '' && !/\d+%/.test(line))
    .at(-1);
  return new TraceError('launch/nsys-failed', `${what}: ${reason?.trim().slice(0, 300) ?? 'nsys said nothing'}`);
}
