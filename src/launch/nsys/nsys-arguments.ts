/** What to record with `nsys profile`, and the command to record. */
export interface NsysRequest {
  /** Path of the report, without its extension. */
  readonly output: string;
  /** Whether the command is a Python or may start one. */
  readonly isPython: boolean;
  readonly command: readonly string[];
  /** Flags of the capture range. */
  readonly capture?: readonly string[];
  /** The user's flags, which replace ours of the same name. */
  readonly options?: readonly string[];
}

/**
 * Returns the arguments of `nsys profile`. Only flags that this version's help lists are used.
 *
 * CPU sampling stays off: with it, nsys 2022.4 hangs when its target ends.
 *
 * @param help the output of `nsys profile --help`
 */
export function nsysArguments(
  help: string,
  {output, isPython, command, capture = [], options = []}: NsysRequest,
): string[] {
  const optional: readonly (readonly [string, string, boolean])[] = [
    // Traces the kernels of a CUDA graph one by one, so that each belongs to a launch.
    ['--cuda-graph-trace', 'node', true],
    // A backward operator's forward operator is found only by its sequence number.
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

/** Returns whether this version has a flag, by its help. */
export function hasFlag(help: string, flag: string): boolean {
  return new RegExp(`(^|[\\s,])${flag}(?![\\w-])`, 'm').test(help);
}

function flagName(flag: string): string {
  return flag.replace(/=.*$/s, '');
}
