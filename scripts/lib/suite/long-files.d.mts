export function longFiles(...patterns: readonly string[]): string[];
