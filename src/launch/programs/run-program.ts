import {spawn, type ChildProcess} from 'node:child_process';
import {basename} from 'node:path';
import {TraceError} from '../../core/base/errors.js';

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
  /** Receives the output of both streams as it arrives. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/** How a program ended; `output` is the last part of both streams together. */
export interface ProgramEnd {
  readonly status: number | null;
  readonly output: string;
}

const keptOutput = 16_384;
/** Windows has no process groups. */
const hasGroups = process.platform !== 'win32';

/**
 * Runs a program to its end, without a shell and without input.
 *
 * @throws TraceError `import/cancelled` when the signal ends it, and the system's error if it cannot be started
 */
export function runProgram(path: string, args: readonly string[], options: ProgramOptions = {}): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, {
      ...(options.cwd !== undefined && {cwd: options.cwd}),
      ...(options.env && {env: options.env}),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      detached: hasGroups,
    });
    let output = '';
    const take = (data: Buffer) => {
      const text = data.toString();
      output = (output + text).slice(-keptOutput);
      options.onOutput?.(text);
    };
    const stop = () => {
      end(child);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    options.signal?.addEventListener('abort', stop);
    if (options.signal?.aborted) stop();
    child.on('error', reject);
    child.on('close', status => {
      options.signal?.removeEventListener('abort', stop);
      if (options.signal?.aborted) reject(new TraceError('import/cancelled', `${basename(path)} was cancelled.`));
      else resolve({status, output});
    });
  });
}

/**
 * Ends a program with all its children. Its output is closed: a process that left the group keeps it open, and we would
 * wait for that process.
 */
function end(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  try {
    if (hasGroups && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill();
  } catch {
    // It has already ended.
  }
}
