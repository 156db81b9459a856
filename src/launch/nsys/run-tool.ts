import {stat} from 'node:fs/promises';
import {basename} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {endRun, newMark} from '../programs/process-tree.js';
import {runProgram, type ProgramEnd, type ProgramOptions} from '../programs/run-program.js';
import {SilenceWatch} from '../programs/silence-watch.js';
import {silenceRemedy} from './silence-limit.js';

/** How to run a program of Nsight Systems. */
export interface ToolOptions extends ProgramOptions {
  /** How long it may neither write nor end; 0 for no limit. */
  readonly limitMs: number;
  /** The file that it writes, if any. */
  readonly output?: string;
}

/**
 * Runs a program of Nsight Systems to its end. If it hangs, it is ended with all its children.
 *
 * @throws TraceError `launch/nsys-failed` if it hangs, `import/cancelled` when the signal ends it, and the system's
 * error
 * if it cannot be started
 */
export async function runTool(path: string, args: readonly string[], options: ToolOptions): Promise<ProgramEnd> {
  const {limitMs, output, signal, onOutput, env = process.env, ...rest} = options;
  const {mark, marked} = newMark();
  let printed = 0;
  const watch = new SilenceWatch(limitMs, async () => {
    const bytes =
      output === undefined
        ? 0
        : await stat(output).then(
            ({size}) => size,
            () => 0,
          );
    return `${String(printed)} ${String(bytes)}`;
  });
  try {
    return await runProgram(path, args, {
      ...rest,
      env: {...env, ...marked},
      signal: signal ? AbortSignal.any([signal, watch.signal]) : watch.signal,
      onOutput: text => {
        printed += text.length;
        onOutput?.(text);
      },
    });
  } catch (error) {
    // Ending the process group does not reach processes with a session of their own.
    await endRun(undefined, mark);
    if (signal?.aborted || !watch.signal.aborted) throw error;
    const what = `${basename(path)} ${args[0]?.startsWith('-') === false ? args[0] : ''}`.trim();
    throw new TraceError(
      'launch/nsys-failed',
      `${what} hung: it neither wrote nor ended for ${String(limitMs / 1000)} s, and was ended; try again, or ${silenceRemedy}.`,
    );
  } finally {
    watch.stop();
  }
}
