/** What to record with `nsys profile`, and of what. */
export interface NsysRequest {
  /** Path of the report, without its ending. */
  readonly output: string;
  /** Whether the command is a Python, or may start one. */
  readonly isPython: boolean;
  readonly command: readonly string[];
  /** Flags of the capture range. */
  readonly capture?: readonly string[];
  /** What the user adds; a flag that is among ours takes its place. */
  readonly options?: readonly string[];
}

/**
 * The arguments of `nsys profile`: the flags that this version has, which its own help tells.
 *
 * CPU sampling stays off: nsys 2022.4 hangs at the end of its target with it.
 *
 * @param help what `nsys profile --help` prints
 */
export function nsysArguments(
  help: string,
  {output, isPython, command, capture = [], options = []}: NsysRequest,
): string[] {
  const optional: readonly (readonly [string, string, boolean])[] = [
    // Kernels of a CUDA graph one by one: they have launches to belong to.
    ['--cuda-graph-trace', 'node', true],
    // The forward operator of a backward one is told by its sequence number alone.
    ['--pytorch', 'autograd-shapes-nvtx', isPython && help.includes('autograd-shapes-nvtx')],
    ['--python-backtrace', 'cuda', isPython],
    ['--trace-fork-before-exec', 'true', isPython],
  ];
  const flags = [
    '--trace=cuda,nvtx,osrt,cudnn,cublas',
    '--sample=none',
    '--cpuctxsw=none',
    ...optional
      .filter(([flag, , isWanted]) => isWanted && hasFlag(help, flag))
      .map(([flag, value]) => `${flag}=${value}`),
    ...capture,
  ];
  const given = new Set(options.map(flagName));
  return [
    'profile',
    ...flags.filter(flag => !given.has(flagName(flag))),
    ...options,
    '--force-overwrite=true',
    `--output=${output}`,
    ...command,
  ];
}

/** Whether this version has a flag, by its help. */
export function hasFlag(help: string, flag: string): boolean {
  return new RegExp(`(^|[\\s,])${flag}(?![\\w-])`, 'm').test(help);
}

function flagName(flag: string): string {
  return flag.replace(/=.*$/s, '');
}
