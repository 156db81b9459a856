/** What to record with `nsys profile`, and of what. */
export interface NsysRequest {
  /** Path of the report, without its ending. */
  readonly output: string;
  readonly isPython: boolean;
  readonly command: readonly string[];
}

/**
 * The arguments of `nsys profile`: the flags that this version has, which its own help tells.
 *
 * CPU sampling stays off: nsys 2022.4 hangs at the end of its target with it.
 *
 * @param help what `nsys profile --help` prints
 */
export function nsysArguments(help: string, {output, isPython, command}: NsysRequest): string[] {
  const has = (flag: string) => new RegExp(`(^|[\\s,])${flag}\\b`, 'm').test(help);
  const optional: readonly (readonly [string, string, boolean])[] = [
    // Kernels of a CUDA graph one by one: they have launches to belong to.
    ['--cuda-graph-trace', 'node', true],
    // The forward operator of a backward one is told by its sequence number alone.
    ['--pytorch', 'autograd-shapes-nvtx', isPython && help.includes('autograd-shapes-nvtx')],
    ['--python-backtrace', 'cuda', isPython],
    ['--trace-fork-before-exec', 'true', isPython],
  ];
  return [
    'profile',
    '--trace=cuda,nvtx,osrt,cudnn,cublas',
    '--sample=none',
    '--cpuctxsw=none',
    ...optional.filter(([flag, , isWanted]) => isWanted && has(flag)).map(([flag, value]) => `${flag}=${value}`),
    '--force-overwrite=true',
    `--output=${output}`,
    ...command,
  ];
}
