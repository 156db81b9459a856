export function addressHint(
  port: string,
  env?: Readonly<Record<string, string>>,
  isInContainer?: boolean,
  host?: string,
): string | null;
