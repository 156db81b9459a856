export function commandOf(
  program: string,
  args: readonly string[],
  platform?: string,
  shell?: string,
): {program: string; args: readonly string[]; isVerbatim: boolean};
