export function longFiles(...patterns: readonly string[]): string[];
export const aloneFiles: readonly string[];
