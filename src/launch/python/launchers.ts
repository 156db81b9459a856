import {TraceError} from '../../core/base/errors.js';
import {isPython} from './python-interpreter.js';

/** How a job's processes are started: by the command itself, or by a launcher that starts several. */
export const launchers = ['none', 'torchrun', 'srun'] as const;
export type Launcher = (typeof launchers)[number];

/** How many processes a job has, on how many nodes. */
export interface JobSize {
  /** Processes in all; for `torchrun`, processes on each node. */
  readonly ranks: number;
  readonly nodes: number;
}

/**
 * Returns a Python command that starts the processes of one job, one per rank; unchanged for `none`.
 *
 * `torchrun` starts them on this machine. On several nodes, `srun` starts `torchrun` on each, and they meet at the
 * first node of the Slurm allocation. `srun` starts them in the allocation. The run's folder must be on a file system
 * that the nodes share.
 *
 * @param command an interpreter with its arguments
 * @param env the environment of the allocation
 * @throws TraceError `launch/no-allocation` if `torchrun` is to run on several nodes without an allocation
 */
export function launchCommand(
  launcher: Launcher,
  {ranks, nodes}: JobSize,
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): readonly string[] {
  const [program = '', ...args] = command;
  switch (launcher) {
    case 'none':
      return command;
    case 'torchrun': {
      const meeting = nodes === 1 ? ['--standalone'] : meetingPlace(nodes, env);
      const start = nodes === 1 ? [] : srun({ranks: nodes, nodes}, ['--ntasks-per-node=1']);
      // Runs it as a module of the interpreter: the program `torchrun` may belong to another environment.
      const torchrun = [program, '-m', 'torch.distributed.run', ...meeting, '--nproc_per_node', String(ranks)];
      return [...start, ...torchrun, ...args];
    }
    case 'srun':
      return [...srun({ranks, nodes}), ...command];
  }
}

/** The job ends with the first process that fails, because all are needed. The processes inherit our variables. */
function srun({ranks, nodes}: JobSize, more: readonly string[] = []): readonly string[] {
  const spread = nodes === 1 ? [] : ['--nodes', String(nodes)];
  return ['srun', ...spread, '--ntasks', String(ranks), ...more, '--kill-on-bad-exit=1', '--export=ALL'];
}

/** Returns where the launchers of several nodes meet: a port of the first node that other jobs are unlikely to use. */
function meetingPlace(nodes: number, env: NodeJS.ProcessEnv): readonly string[] {
  const first = firstNode(env['SLURM_JOB_NODELIST'] ?? '');
  if (first === null) {
    throw new TraceError(
      'launch/no-allocation',
      'torchrun on several nodes is started by srun, in a Slurm allocation: begin with salloc or sbatch.',
    );
  }
  const job = env['SLURM_JOB_ID'] ?? '0';
  const port = firstPort + (Number(/^\d+/.exec(job)?.[0] ?? 0) % portCount);
  const endpoint = `${first}:${String(port)}`;
  return ['--nnodes', String(nodes), '--rdzv_backend', 'c10d', '--rdzv_id', job, '--rdzv_endpoint', endpoint];
}

const firstPort = 20_000;
const portCount = 10_000;

/** Returns the first node of a Slurm list such as `gpu-[003-007,012],login1`; null if it is empty. */
export function firstNode(list: string): string | null {
  const [, before = '', inside, behind = ''] = /^([^,[\]]*)(?:\[([^\]]*)\]([^,[\]]*))?/.exec(list) ?? [];
  const number = inside === undefined ? '' : (/^\d+/.exec(inside)?.[0] ?? '');
  const node = `${before}${number}${behind}`;
  return node === '' || /\s/.test(node) ? null : node;
}

/** Returns whether a command's program is a Python script, which needs an interpreter. */
export function isPythonScript(program: string): boolean {
  return /\.pyw?$/i.test(program);
}

/** Returns whether a launcher can start the command; every launcher can start a Python. */
export function canLaunch(launcher: Launcher, command: readonly string[]): boolean {
  return launcher === 'none' || launcher === 'srun' || isPython(command[0] ?? '');
}
