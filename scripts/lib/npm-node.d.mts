export function npmNode(): string;
export function nodeOutside(
  env?: Readonly<Record<string, string | undefined>>,
  running?: string,
  checkout?: string,
): string | null;
export function isOutside(path: string, checkout?: string): boolean;
