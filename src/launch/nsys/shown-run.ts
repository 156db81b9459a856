import type {ChildProcess} from 'node:child_process';
import {runChild} from '../programs/run-child.js';
import type {ProfileRequest} from '../command/profile-request.js';
import type {ProfileSurroundings} from '../run/profile-surroundings.js';
import {SilenceWatch} from '../programs/silence-watch.js';
import {KeptOutput} from './kept-output.js';
import {signOfLife} from './signs-of-life.js';

/** The end of one run of the command, with or without nsys around it. */
export interface RunEnd {
  readonly status: number;
  readonly durationNs: number;
  /** The beginning and end of its output, both streams together. */
  readonly output: string;
  /** Whether it was ended because it was idle for longer than allowed. */
  readonly isHung: boolean;
}

/**
 * Runs a program, shows its output, and keeps it for messages.
 *
 * @param silenceLimitMs how long nsys may neither write nor end once its program has ended; 0 for no limit
 * @throws TraceError `launch/not-started`
 */
export async function runShown(
  program: string,
  args: readonly string[],
  {cwd, env}: Pick<ProfileRequest, 'cwd' | 'env'>,
  {signal, stdout}: Pick<ProfileSurroundings, 'signal' | 'stdout'>,
  silenceLimitMs = 0,
): Promise<RunEnd> {
  const output = new KeptOutput();
  let shownBytes = 0;
  let sign: () => Promise<string | null> = () => Promise.resolve(null);
  const watch = new SilenceWatch(silenceLimitMs, async () => {
    const life = await sign();
    return life === null ? null : `${life}, ${String(shownBytes)}`;
  });
  const show = (target: NodeJS.WriteStream) => (data: Buffer) => {
    target.write(data);
    shownBytes += data.length;
    output.add(data.toString());
  };
  const beginNs = process.hrtime.bigint();
  try {
    const status = await runChild(program, args, {
      cwd,
      env,
      stdio: ['inherit', 'pipe', 'pipe'],
      signal: AbortSignal.any([signal, watch.signal]),
      onStart: (child: ChildProcess, mark) => {
        child.stdout?.on('data', show(stdout === 'inherit' ? process.stdout : process.stderr));
        child.stderr?.on('data', show(process.stderr));
        const {pid} = child;
        if (pid !== undefined) sign = () => signOfLife(pid, mark);
      },
    });
    const isHung = watch.signal.aborted && !signal.aborted;
    return {status, durationNs: Number(process.hrtime.bigint() - beginNs), output: output.text, isHung};
  } finally {
    watch.stop();
  }
}
