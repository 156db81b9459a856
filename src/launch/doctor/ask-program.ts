import {basename} from 'node:path';
import {describeError} from '../../core/base/errors.js';
import {runProgram, type ProgramEnd, type ProgramOptions} from '../programs/run-program.js';

/** How long to wait for an answer of a program that has little to load. */
const usualLimitMs = 20_000;

/** How to run a program, and how long to wait for it. */
export interface AskOptions extends Omit<ProgramOptions, 'onOutput'> {
  readonly limitMs?: number;
}

/**
 * Returns a program's output, or why there is none: it cannot be started, or takes too long and is ended.
 *
 * @throws TraceError `import/cancelled` when the caller's signal ends it
 */
export async function askProgram(
  path: string,
  args: readonly string[],
  {limitMs = usualLimitMs, signal, ...options}: AskOptions = {},
): Promise<ProgramEnd | {readonly failure: string}> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await runProgram(path, args, {...options, signal: signal ? AbortSignal.any([signal, limit]) : limit});
  } catch (error) {
    if (signal?.aborted) throw error;
    if (limit.aborted) return {failure: `${basename(path)} did not answer within ${String(limitMs / 1000)} s`};
    return {failure: `${basename(path)} cannot be run: ${describeError(error, 'launch/not-started').message}`};
  }
}
