import {TraceError} from '../../core/base/errors.js';
import {isPython} from './python-interpreter.js';

/** How the processes of a job are started: as the command says, or by one of the engines that start several. */
export const launchers = ['none', 'torchrun', 'srun'] as const;
export type Launcher = (typeof launchers)[number];

/** How many processes of a job are started, and where. */
export interface JobSize {
  /** Processes in all; of `torchrun` on each node. */
  readonly ranks: number;
  readonly nodes: number;
}

/**
 * A Python command as the processes of one job, one a rank; as it is for `none`.
 *
 * `torchrun` starts them on this machine; on several nodes it is started on each by `srun`, and the first node of the
 * Slurm allocation is where they meet. `srun` starts them where the allocation is. The run's folder must lie on a file
 * system that the nodes share.
 *
 * @param command an interpreter with its arguments
 * @param env that of the allocation
 * @throws TraceError `launch/no-allocation` where `torchrun` is to run on several nodes, and there are none
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
      // As a module of the interpreter: the program `torchrun` may be another environment's.
      const torchrun = [program, '-m', 'torch.distributed.run', ...meeting, '--nproc_per_node', String(ranks)];
      return [...start, ...torchrun, ...args];
    }
    case 'srun':
      return [...srun({ranks, nodes}), ...command];
  }
}

/** A job whose processes must all be there ends with the first that fails; ours need the variables that say what to do. */
function srun({ranks, nodes}: JobSize, more: readonly string[] = []): readonly string[] {
  const spread = nodes === 1 ? [] : ['--nodes', String(nodes)];
  return ['srun', ...spread, '--ntasks', String(ranks), ...more, '--kill-on-bad-exit=1', '--export=ALL'];
}

/** Where the launchers of several nodes meet: a port of the first node that other jobs hardly take. */
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

/** The first of the nodes as Slurm writes them, `gpu-[003-007,012],login1`; null where there are none. */
export function firstNode(list: string): string | null {
  const [, before = '', inside, behind = ''] = /^([^,[\]]*)(?:\[([^\]]*)\]([^,[\]]*))?/.exec(list) ?? [];
  const number = inside === undefined ? '' : (/^\d+/.exec(inside)?.[0] ?? '');
  const node = `${before}${number}${behind}`;
  return node === '' || /\s/.test(node) ? null : node;
}

/** Whether a command's program is a Python script, which some interpreter must run. */
export function isPythonScript(program: string): boolean {
  return /\.pyw?$/i.test(program);
}

/** Whether a launcher can start the command: each takes a Python's. */
export function canLaunch(launcher: Launcher, command: readonly string[]): boolean {
  return launcher === 'none' || launcher === 'srun' || isPython(command[0] ?? '');
}
