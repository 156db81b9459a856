import type {ChildProcess} from 'node:child_process';
import {runChild} from '../run-child.js';
import type {ProfileRequest} from '../profile-request.js';
import type {ProfileSurroundings} from '../profile-pytorch.js';

/** One run of the command, or of nsys around it. */
export interface RunEnd {
  readonly status: number;
  readonly durationNs: number;
  /** The end of what it wrote, both streams together. */
  readonly output: string;
}

const keptOutput = 64 * 1024;

/** Runs a program with its output shown, and kept for what must be told of it. @throws TraceError `launch/not-started` */
export async function runShown(
  program: string,
  args: readonly string[],
  {cwd, env}: Pick<ProfileRequest, 'cwd' | 'env'>,
  {signal, stdout}: ProfileSurroundings,
): Promise<RunEnd> {
  let output = '';
  const show = (target: NodeJS.WriteStream) => (data: Buffer) => {
    target.write(data);
    output = (output + data.toString()).slice(-keptOutput);
  };
  const beginNs = process.hrtime.bigint();
  const status = await runChild(program, args, {
    cwd,
    env,
    stdio: ['inherit', 'pipe', 'pipe'],
    signal,
    onStart: ({stdout: out, stderr}: ChildProcess) => {
      out?.on('data', show(stdout === 'inherit' ? process.stdout : process.stderr));
      stderr?.on('data', show(process.stderr));
    },
  });
  return {status, durationNs: Number(process.hrtime.bigint() - beginNs), output};
}
