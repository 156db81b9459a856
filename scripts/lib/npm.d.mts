export function npmFailure(args: readonly string[], output: string): string;
export function npmCli(env?: Readonly<Record<string, string | undefined>>, node?: string): string;
export function npm(
  args: readonly string[],
  options?: {cwd?: string; env?: Readonly<Record<string, string>>},
): Promise<void>;
