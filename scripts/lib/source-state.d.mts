export function sourceState(folder?: string, paths?: readonly string[]): string;
