import {isPython} from './python-interpreter.js';

/** How the processes of a job are started: as the command says, or by one of the engines that start several. */
export const launchers = ['none', 'torchrun', 'srun'] as const;
export type Launcher = (typeof launchers)[number];

/**
 * A Python command as so many processes of one job, one a rank; as it is for `none`.
 *
 * `torchrun` starts them on this machine. `srun` starts them where the Slurm allocation is; the run's folder must lie
 * on a file system that the nodes share.
 *
 * @param command an interpreter with its arguments
 */
export function launchCommand(launcher: Launcher, ranks: number, command: readonly string[]): readonly string[] {
  const [program = '', ...args] = command;
  switch (launcher) {
    case 'none':
      return command;
    case 'torchrun':
      // As a module of the interpreter: the program `torchrun` may be another environment's.
      return [program, '-m', 'torch.distributed.run', '--standalone', '--nproc_per_node', String(ranks), ...args];
    case 'srun':
      return ['srun', '--ntasks', String(ranks), '--kill-on-bad-exit=1', ...command];
  }
}

/** Whether a command's program is a Python script, which some interpreter must run. */
export function isPythonScript(program: string): boolean {
  return /\.pyw?$/i.test(program);
}

/** Whether a launcher can start the command: each takes a Python's. */
export function canLaunch(launcher: Launcher, command: readonly string[]): boolean {
  return launcher === 'none' || launcher === 'srun' || isPython(command[0] ?? '');
}
